package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
	"github.com/memory-tiered/memory/knowledge"
)

// outcome is what one question got.
type outcome struct {
	hasAnswer    bool // the workspace has one
	answered     bool // in the block, or among the first ten hits
	isSkipped    bool
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
func block(s *service, ctx context.Context, g eval.Golden, _ bool) (o outcome, err error) {
	r := memory.RecallRequest{Prompt: g.Query, Workspace: s.workspace, Scope: g.Scope, Record: new(false), AsOf: asOf(g)}
	answer, err := s.Recall(ctx, r)
	o = outcome{hasAnswer: len(g.Relevant) > 0}.plus(s.texts(g.Relevant), strings.SplitAfter(strings.ReplaceAll(answer.Context, "\n  ", " "), "\n"))
	o.tokens = answer.Tokens
	return o, err
}

func asOf(g eval.Golden) string {
	if g.AsOf.IsZero() {
		return ""
	}
	return g.AsOf.Format(time.RFC3339)
}

// blockAndProfile asks for a block, and for the profile that a session gets before it.
func blockAndProfile(s *service, ctx context.Context, g eval.Golden, isWith bool) (outcome, error) {
	o, err := block(s, ctx, g, isWith)
	if err != nil || !isWith {
		return o, err
	}
	page, err := s.Profile(ctx, knowledge.ProfileRequest{For: memory.AudienceModel})
	return o.plus(s.texts(g.Relevant), strings.SplitAfter(page.Markdown(false), "\n")), err
}

// search returns a search for the first ten hits, of which the name in the question is a filter.
// It skips questions without a known name.
func search(hops int) ask {
	return func(s *service, ctx context.Context, g eval.Golden, isWith bool) (outcome, error) {
		name := s.nameIn(g.Query)
		if name == "" || len(g.Relevant) == 0 {
			return outcome{isSkipped: true}, nil
		}
		r := memory.SearchRequest{Query: g.Query, Workspace: s.workspace, Limit: new(10), Filter: memory.Filter{Scope: g.Scope}, Ranked: true, AsOf: asOf(g)}
		if isWith {
			r.Entity, r.Hops = name, hops
		}
		answer, err := s.Search(ctx, r)
		var lines []string
		for _, h := range answer.Hits {
			lines = append(lines, "- "+strings.Join(strings.Fields(h.Text), " "))
		}
		return outcome{hasAnswer: true}.plus(s.texts(g.Relevant), lines), err
	}
}

// texts returns the texts of lines, without their list markers and marks.
func (s *service) texts(lines []eval.Line) (texts []string) {
	for _, l := range lines {
		src, err := os.ReadFile(filepath.Join(s.source, l.Path))
		if all := strings.Split(string(src), "\n"); err == nil && l.Line <= len(all) {
			text, _, _ := strings.Cut(all[l.Line-1], "<!--")
			texts = append(texts, strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(text), "-*#>[] ")))
		}
	}
	return texts
}

// nameIn returns the longest known name in a question.
func (s *service) nameIn(query string) (longest string) {
	words := strings.FieldsFunc(query, func(r rune) bool { return strings.ContainsRune(" ?!.,;:'’\"()", r) })
	for _, e := range s.names {
		for _, name := range append([]string{e.Name}, e.Aliases...) {
			if len(name) > len(longest) && containsRun(words, strings.Fields(name)) {
				longest = name
			}
		}
	}
	return longest
}

func containsRun(words, run []string) bool {
	for i := 0; i+len(run) <= len(words); i++ {
		if slices.Equal(words[i:i+len(run)], run) {
			return true
		}
	}
	return false
}
