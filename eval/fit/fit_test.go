package main

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

// TestFitWeighsSignalsByWhatTheyTell runs queries whose relevant hit has the
// larger first signal. The second signal is noise, and the third is large for
// hits that answer. So is the fourth, behind, which is one of orderOnly.
func TestFitWeighsSignalsByWhatTheyTell(t *testing.T) {
	search := func(_ context.Context, _ memory.Lane, g eval.Golden) ([]memory.Hit, error) {
		var hits []memory.Hit
		for i := range 6 {
			h := memory.Hit{Memory: memory.Memory{Path: "a.md", LineStart: i + 1, LineEnd: i + 1}}
			n := float64((len(g.Query)*7 + i*5) % 11)
			orders, answers := n/20, 0.2+n/40
			if len(g.Relevant) > 0 && g.Relevant[0].Line == i+1 {
				orders += 0.5
				answers += 0.4
			}
			h.Ranking = memory.List[memory.Factor]{{Name: "orders", Value: orders, Weight: 1}, {Name: "noise", Value: float64(i%2) / 2, Weight: 1},
				{Name: "answers", Value: answers}, {Name: "behind", Value: -answers}}
			hits = append(hits, h)
		}
		return hits, nil
	}
	var queries []eval.Golden
	for i := range 60 {
		g := eval.Golden{ID: "q", Query: strings.Repeat("q", i+1)}
		if i%3 != 0 {
			g.Relevant = []eval.Line{{Path: "a.md", Line: 1 + i%6}}
		}
		queries = append(queries, g)
	}
	w, err := fit(t.Context(), queries, search)
	if err != nil {
		t.Fatal(err)
	}
	orders, noise, answers := w.signals[0], w.signals[1], w.signals[2]
	if orders.fitted < 5 || math.Abs(noise.fitted) > orders.fitted/5 || answers.fitted != 0 {
		t.Errorf("weights in the sum: %+v", w.signals)
	}
	if behind := w.signals[3]; behind.odds != 0 {
		t.Errorf("a signal that only orders has odds: %+v", behind)
	}
	if answers.odds < 1 || w.bias > 0 || w.queries != 40 || w.hits != 360 {
		t.Errorf("odds: %+v", w)
	}
	plain := func(context.Context, memory.Lane, eval.Golden) ([]memory.Hit, error) {
		return make([]memory.Hit, 1), nil
	}
	if _, err := fit(t.Context(), queries, plain); err == nil || !strings.Contains(err.Error(), "the hits have no signals") {
		t.Errorf("hits without signals: %v", err)
	}
}
