package eval_test

import (
	"context"
	"errors"
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
