package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

// outcome is what one question got.
type outcome struct {
	hasAnswer    bool // the workspace has one
	answered     bool // in the block, or among the first ten hits
	items, right int
	tokens       int
}

// plus adds more lines to what a question got.
func (o outcome) plus(answers, lines []string) outcome {
	for _, line := range lines {
		if !strings.HasPrefix(line, "- ") {
			continue
		}
		o.items++
		o.tokens += len(line) / 4
		if slices.ContainsFunc(answers, func(text string) bool { return strings.Contains(line, text) }) {
			o.right++
			o.answered = true
		}
	}
	return o
}

// block asks for the block of a question.
func (s *service) block(ctx context.Context, g eval.Golden) (o outcome, err error) {
	never := false
	r := memory.RecallRequest{Prompt: g.Query, Workspace: s.workspace, Scope: g.Scope, Record: &never}
	if !g.AsOf.IsZero() {
		r.AsOf = g.AsOf.Format(time.RFC3339)
	}
	answer, err := s.Recall(ctx, r)
	o = outcome{hasAnswer: len(g.Relevant) > 0}.plus(s.texts(g.Relevant), strings.SplitAfter(strings.ReplaceAll(answer.Context, "\n  ", " "), "\n"))
	o.tokens = answer.Tokens
	return o, err
}

// search asks for the first ten hits.
func (s *service) search(ctx context.Context, g eval.Golden, filter memory.Filter) (o outcome, err error) {
	ten := 10
	filter.Scope = g.Scope
	r := memory.SearchRequest{Query: g.Query, Workspace: s.workspace, Limit: &ten, Filter: filter, Ranked: true}
	if !g.AsOf.IsZero() {
		r.AsOf = g.AsOf.Format(time.RFC3339)
	}
	answer, err := s.Search(ctx, r)
	var lines []string
	for _, h := range answer.Hits {
		lines = append(lines, "- "+strings.Join(strings.Fields(h.Text), " "))
	}
	return outcome{hasAnswer: true}.plus(s.texts(g.Relevant), lines), err
}

// part is what was measured with and without a part.
type part struct {
	pairs [][2]outcome
	bytes int64
	took  time.Duration // of processor time, more than without it
}

// metrics are the figures of the table, in percent and in tokens.
var metrics = []struct {
	name string
	of   func(outcomes []outcome) float64
}{
	{"answered", func(all []outcome) float64 {
		return 100 * ratio(all, func(o outcome) (int, int) { return btoi(o.answered), btoi(o.hasAnswer) })
	}},
	{"precision", func(all []outcome) float64 {
		return 100 * ratio(all, func(o outcome) (int, int) { return o.right, o.items })
	}},
	{"tokens", func(all []outcome) float64 { return ratio(all, func(o outcome) (int, int) { return o.tokens, 1 }) }},
}

func ratio(all []outcome, of func(outcome) (part, whole int)) float64 {
	part, whole := 0, 0
	for _, o := range all {
		p, w := of(o)
		part, whole = part+p, whole+w
	}
	return float64(part) / float64(max(1, whole))
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// resamples is the number of samples of the questions for an interval of 95 %.
const resamples = 1000

// print prints a row for each part: each figure without it, and the change with it.
func (m *measurement) print() {
	fmt.Println("| part | questions | answered | change | precision | change | tokens | change | ms a question | MB |\n|---|--:|--:|---|--:|---|--:|---|--:|--:|")
	for _, name := range m.order {
		p := m.parts[name]
		fmt.Printf("| %s | %d |", name, len(p.pairs))
		for _, metric := range metrics {
			r := rand.New(rand.NewPCG(28, 0))
			var changes []float64
			for range resamples {
				sample := make([][2]outcome, len(p.pairs))
				for i := range sample {
					sample[i] = p.pairs[r.IntN(len(p.pairs))]
				}
				changes = append(changes, metric.of(side(sample, 1))-metric.of(side(sample, 0)))
			}
			slices.Sort(changes)
			without := metric.of(side(p.pairs, 0))
			fmt.Printf(" %.1f | %+.1f (%+.1f to %+.1f) |", without, metric.of(side(p.pairs, 1))-without, changes[resamples/40], changes[resamples-resamples/40])
		}
		if p.bytes == 0 { // measured for documents alone
			fmt.Println(" – | – |")
			continue
		}
		fmt.Printf(" %+.1f | %.1f |\n", float64(p.took.Microseconds())/1000/float64(len(p.pairs)), float64(p.bytes)/1e6)
	}
}

func side(pairs [][2]outcome, i int) (all []outcome) {
	for _, p := range pairs {
		all = append(all, p[i])
	}
	return all
}
