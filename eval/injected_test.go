package eval_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
	"github.com/memory-tiered/memory/internal/must"
)

func TestRunMeasuresInjectedBlocks(t *testing.T) {
	blocks := map[string][]memory.Hit{
		"injected":       {hit("a.md", 1, 1, 400), hit("b.md", 9, 9, 399)},
		"not injected":   {hit("b.md", 9, 9, 200)},
		"not found":      nil,
		"noise":          {hit("b.md", 9, 9, 200)},
		"without memory": nil,
	}
	p := eval.System{
		Search: func(_ context.Context, _ memory.Lane, g eval.Golden) ([]memory.Hit, error) {
			if g.ID == "not found" {
				return irrelevant(3, 10), nil
			}
			return []memory.Hit{hit("a.md", 1, 1, 400)}, nil
		},
		Inject: func(_ context.Context, g eval.Golden) ([]memory.Hit, error) { return blocks[g.ID], nil },
	}
	queries := []eval.Golden{golden("injected", "", 1, 2), golden("not injected", "", 1), golden("not found", "", 1),
		golden("noise", ""), golden("without memory", "")}
	r := must.Get(eval.Run(t.Context(), queries, nil, p, nil))(t)
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
	if _, err := eval.Run(t.Context(), queries, nil, p, nil); err == nil || !strings.Contains(err.Error(), "injected: no service") {
		t.Errorf("Inject that fails: %v", err)
	}
}

// TestKeptCountsOnlyAnswersAmongTheFirst20Hits has two queries whose answer is not in
// the block: only one of them has it among the first 20 hits.
func TestKeptCountsOnlyAnswersAmongTheFirst20Hits(t *testing.T) {
	ranks := map[string]int{"first": 0, "eighteenth": 17, "thirtieth": 29}
	s := eval.System{
		Search: func(_ context.Context, _ memory.Lane, g eval.Golden) ([]memory.Hit, error) {
			return append(irrelevant(ranks[g.ID], 10), hit("a.md", 1, 1, 10)), nil
		},
		Inject: func(_ context.Context, g eval.Golden) ([]memory.Hit, error) {
			if g.ID == "first" {
				return []memory.Hit{hit("a.md", 1, 1, 10)}, nil
			}
			return nil, nil
		},
	}
	r, err := eval.Run(t.Context(), []eval.Golden{golden("first", "", 1), golden("eighteenth", "", 1), golden("thirtieth", "", 1)}, nil, s, nil)
	if err != nil || r.Blocks.Kept != 0.5 {
		t.Errorf("kept %+v, %v; want 1 of 2", r.Blocks, err)
	}
}

func TestRunExplainsWhatIsNotInjected(t *testing.T) {
	far := hit("a.md", 7, 7, 40)
	far.ID = "far"
	s := eval.System{
		Search: func(context.Context, memory.Lane, eval.Golden) ([]memory.Hit, error) {
			return []memory.Hit{hit("b.md", 9, 9, 200), far}, nil
		},
		Inject: func(context.Context, eval.Golden) ([]memory.Hit, error) {
			return []memory.Hit{hit("a.md", 1, 1, 40)}, nil
		},
		WhyNot: func(_ context.Context, _ eval.Golden, l eval.Line) (eval.Cause, bool, error) {
			switch l.Line {
			case 7, 8:
				return eval.Cause{ID: "far", Reason: memory.ReasonBelowFloor, Detail: "similarity 0.10 < 0.20"}, true, nil
			case 20:
				return eval.Cause{ID: "gone", Reason: memory.ReasonExpired, Detail: "it expired"}, true, nil
			}
			return eval.Cause{}, false, nil
		},
	}
	r := must.Get(eval.Run(t.Context(), []eval.Golden{golden("q", "", 1, 7, 8, 20, 99)}, nil, s, nil))(t)
	if len(r.NotInjected) != 2 || r.NotInjected[0].Place != 2 || r.NotInjected[1].Place != 0 {
		t.Fatalf("%+v", r.NotInjected)
	}
	for _, want := range []string{"not injected: 2 relevant memories\n", "  q  a.md:7   place 2    below_floor: similarity 0.10 < 0.20\n", "  q  a.md:20  not found  expired: it expired\n"} {
		if table := r.String(); !strings.Contains(table, want) {
			t.Errorf("%q is missing in:\n%s", want, table)
		}
	}
	if r.Quality().NotInjected != nil {
		t.Error("the figures to commit contain a list of memories")
	}
}

// TestRunMeasuresUnanswerableQueriesAlone has queries that no memory answers, and no other.
func TestRunMeasuresUnanswerableQueriesAlone(t *testing.T) {
	s := eval.System{
		Search: func(context.Context, memory.Lane, eval.Golden) ([]memory.Hit, error) { return nil, nil },
		Inject: func(_ context.Context, g eval.Golden) ([]memory.Hit, error) {
			if g.ID == "silent" {
				return nil, nil
			}
			return []memory.Hit{hit("b.md", 9, 9, 200)}, nil
		},
	}
	r := must.Get(eval.Run(t.Context(), []eval.Golden{golden("silent", ""), golden("noisy", "")}, nil, s, nil))(t)
	const want = "blocks: 50.0 % of the unanswerable ones empty\nof 2 queries that nothing answers, 50.0 % get nothing; 0.50 memories\n"
	if table := r.String(); table != want {
		t.Errorf("got:\n%swant:\n%s", table, want)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}
