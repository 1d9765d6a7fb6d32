package eval_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

func TestWhatIsInjected(t *testing.T) {
	blocks := map[string][]memory.Hit{
		"answered": {on("a.md", 1, 1, 400), on("b.md", 9, 9, 399)},
		"lost":     {on("b.md", 9, 9, 200)},
		"unfound":  nil,
		"noise":    {on("b.md", 9, 9, 200)},
		"silence":  nil,
	}
	p := eval.Product{
		Search: func(_ context.Context, _ memory.Lane, g eval.Golden) ([]memory.Hit, error) {
			if g.ID == "unfound" {
				return others(3, 10), nil
			}
			return []memory.Hit{on("a.md", 1, 1, 400)}, nil
		},
		Inject: func(_ context.Context, g eval.Golden) ([]memory.Hit, error) { return blocks[g.ID], nil },
	}
	queries := []eval.Golden{golden("answered", "", 1, 2), golden("lost", "", 1), golden("unfound", "", 1), golden("noise", ""), golden("silence", "")}
	r, err := eval.Run(t.Context(), queries, nil, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := r.Blocks
	if r.Queries != 3 || b == nil || b.Noise == nil {
		t.Fatalf("%d queries, blocks %+v", r.Queries, b)
	}
	if b.Recall != 0.166667 || b.Kept != 0.5 || b.Memories != 1 || b.Tokens != 333 {
		t.Errorf("blocks %+v", *b)
	}
	if n := *b.Noise; n != (eval.Noise{Queries: 2, Empty: 0.5, Memories: 0.5}) {
		t.Errorf("noise %+v", n)
	}
	if table := r.String(); !strings.Contains(table, "of 2 queries that nothing answers, 50.0 % get nothing") {
		t.Errorf("table:\n%s", table)
	}
	p.Inject = func(context.Context, eval.Golden) ([]memory.Hit, error) { return nil, errors.New("no service") }
	if _, err := eval.Run(t.Context(), queries, nil, p, nil); err == nil || !strings.Contains(err.Error(), "answered: no service") {
		t.Errorf("recall that fails: %v", err)
	}
}

// TestFitFindsWhatTells asks queries whose right hit has the larger first signal,
// whose second says nothing, and whose third is large where something answers; the
// fourth as well, but it is known to compare the hits of one query alone.
func TestFitFindsWhatTells(t *testing.T) {
	search := func(_ context.Context, _ memory.Lane, g eval.Golden) ([]memory.Hit, error) {
		var hits []memory.Hit
		for i := range 6 {
			h := on("a.md", i+1, i+1, 10)
			n := float64((len(g.Query)*7 + i*5) % 11)
			tells, answers := n/20, 0.2+n/40
			if len(g.Relevant) > 0 && g.Relevant[0].Line == i+1 {
				tells += 0.5
				answers += 0.4
			}
			h.Ranking = memory.List[memory.Factor]{{Name: "tells", Value: tells, Weight: 1}, {Name: "says nothing", Value: float64(i%2) / 2, Weight: 1},
				{Name: "answers", Value: answers}, {Name: "behind", Value: -answers}}
			hits = append(hits, h)
		}
		return hits, nil
	}
	var queries []eval.Golden
	for i := range 60 {
		g := golden(strings.Repeat("q", i+1), "", 1+i%6)
		if i%3 == 0 {
			g.Relevant = nil
		}
		queries = append(queries, g)
	}
	f, err := eval.Fit(t.Context(), queries, search, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	tells, nothing, answers := f.Signals[0], f.Signals[1], f.Signals[2]
	if tells.Weight < 5 || math.Abs(nothing.Weight) > tells.Weight/5 || answers.Weight != 0 {
		t.Errorf("order: %+v", f.Signals)
	}
	if behind := f.Signals[3]; behind.Odds != 0 {
		t.Errorf("what only orders has odds: %+v", behind)
	}
	if answers.Odds < 1 || f.Bias > 0 || f.Queries != 40 || f.Hits != 360 {
		t.Errorf("odds: %+v", f)
	}
	none := func(context.Context, memory.Lane, eval.Golden) ([]memory.Hit, error) { return others(1, 1), nil }
	if _, err := eval.Fit(t.Context(), queries, none, func(int, int) {}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("hits without signals: %v", err)
	}
}
