// Command parts is a developer's tool. It measures what each part of the knowledge adds to the
// answers about a workspace, question by question with and without it:
//
//	go -C tools run ./parts BINARY ../docs ../eval/workspaces/talk …
//
// The first folder has documents that answer nothing. Each other one is a workspace with
// golden.jsonl, of which the second, fourth, sixth … question of a category is asked. A memory
// counts as right if its text is in the block, so that passages and profiles count too.
package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/memory-tiered/memory/eval"
)

// ask asks a question, without or with a part.
type ask func(s *service, ctx context.Context, g eval.Golden, isWith bool) (outcome, error)

// part is a part of the knowledge.
type part struct {
	name    string
	enable  func(*service) error // nil: only the question differs
	ask     ask
	isSplit bool // the documents are half of the files
}

// side is what the questions got without a part, or with it.
type side struct {
	outcomes []outcome
	took     time.Duration // of processor time
	bytes    int64         // of the state folder
}

var parts = []part{
	{name: "profile at session start", ask: blockAndProfile},
	{name: "search: name of the question as filter", ask: search(0)},
	{name: "search: the same with two hops", ask: search(2)},
	{name: "scene line", ask: block, enable: func(s *service) error { return s.run("config", "set", "injection.sceneLine", "true") }},
	{name: "unused scenes as extracts", ask: block, enable: (*service).compact},
	{name: "documents about something else", ask: block, enable: (*service).addDocuments},
	{name: "documents with half of the files", ask: block, enable: (*service).addDocuments, isSplit: true},
}

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "parts BINARY DOCUMENTS WORKSPACE…")
		os.Exit(2)
	}
	fmt.Println("| part | questions | answered | change | precision | change | tokens | change | processor time | bytes |\n|---|--:|--:|---|--:|---|--:|---|--:|--:|")
	for _, p := range parts {
		var sides [2]side
		for _, folder := range os.Args[3:] {
			if err := p.measure(&sides, folder, os.Args[2]); err != nil {
				fmt.Fprintln(os.Stderr, "parts:", folder+":", err)
				os.Exit(1)
			}
		}
		fmt.Printf("| %s |%s\n", p.name, row(sides[0], sides[1]))
	}
}

// rounds is how often each question is asked: the first round fills the caches, and the system counts
// processor time in ticks of 10 ms.
const rounds = 11

// measure asks the questions about a workspace without and with the part.
func (p part) measure(sides *[2]side, folder, docs string) error {
	s, err := start(folder, docs, p.isSplit)
	if err != nil {
		return err
	}
	defer s.stop()
	if _, err := os.Stat(s.docs); err != nil {
		return nil // the workspace has one file
	}
	golden, err := s.questions()
	if err != nil {
		return err
	}
	for i := range sides {
		if i == 1 && p.enable != nil {
			if err := p.enable(s); err != nil {
				return err
			}
			s.settle()
		}
		var began time.Duration
		for round := range rounds {
			for _, g := range golden {
				o, err := p.ask(s, context.Background(), g, i == 1)
				if err != nil {
					return err
				}
				if round == 0 && !o.isSkipped {
					sides[i].outcomes = append(sides[i].outcomes, o)
				}
			}
			if round == 0 {
				began = s.processorTime()
			}
		}
		sides[i].took += s.processorTime() - began
		sides[i].bytes += s.bytes()
	}
	return nil
}

// metrics are the figures of the table, in percent and in tokens.
var metrics = []func(all []outcome) float64{
	func(all []outcome) float64 {
		return 100 * ratio(all, func(o outcome) int { return number(o.answered) }, func(o outcome) int { return number(o.hasAnswer) })
	},
	func(all []outcome) float64 {
		return 100 * ratio(all, func(o outcome) int { return o.right }, func(o outcome) int { return o.items })
	},
	func(all []outcome) float64 {
		return ratio(all, func(o outcome) int { return o.tokens }, func(outcome) int { return 1 })
	},
}

func ratio(all []outcome, share, whole func(outcome) int) float64 {
	a, b := 0, 0
	for _, o := range all {
		a, b = a+share(o), b+whole(o)
	}
	return float64(a) / float64(max(1, b))
}

func number(is bool) int {
	if is {
		return 1
	}
	return 0
}

// resamples is the number of samples of the questions for an interval of 95 %.
const resamples = 1000

// row returns each figure without a part and the change with it, and how many times the processor
// time of the questions and the bytes of the state folder the part takes.
func row(without, with side) string {
	n := len(without.outcomes)
	line := fmt.Sprintf(" %d |", n)
	for _, metric := range metrics {
		r := rand.New(rand.NewPCG(28, 0))
		changes := make([]float64, resamples)
		for k := range changes {
			a, b := make([]outcome, n), make([]outcome, n)
			for j := range n {
				i := r.IntN(n)
				a[j], b[j] = without.outcomes[i], with.outcomes[i]
			}
			changes[k] = metric(b) - metric(a)
		}
		slices.Sort(changes)
		before := metric(without.outcomes)
		line += fmt.Sprintf(" %.1f | %+.1f (%+.1f to %+.1f) |", before, metric(with.outcomes)-before, changes[resamples/40], changes[resamples-resamples/40])
	}
	return line + fmt.Sprintf(" × %.2f | × %.2f |", float64(with.took)/float64(max(1, without.took)), float64(with.bytes)/float64(max(1, without.bytes)))
}
