package eval_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

// TestGoldenQueriesThatCountSessions finds the second session with its third hit: the
// first two are of one session.
func TestGoldenQueriesThatCountSessions(t *testing.T) {
	queries, err := eval.ReadGolden(strings.NewReader(`{"query": "q", "category": "c", "relevant": [{"path": "a.md", "line": 12}], "sessions": [{"path": "a.md", "from": 10, "to": 19}]}
{"query": "none", "category": "c", "relevant": [], "allowed": [{"path": "a.md", "line": 2}]}`), time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	inSession := func(h memory.Hit, name string) memory.Hit {
		h.Heading = []string{name}
		return h
	}
	first, second := inSession(hit("a.md", 2, 2, 40), "Session 1"), inSession(hit("a.md", 14, 15, 40), "Session 2")
	p := eval.System{
		Search: func(context.Context, memory.Lane, eval.Golden) ([]memory.Hit, error) {
			return []memory.Hit{first, inSession(hit("a.md", 3, 3, 40), "Session 1"), second}, nil
		},
		Inject: func(_ context.Context, g eval.Golden) ([]memory.Hit, error) {
			if g.Query == "none" {
				return []memory.Hit{first}, nil // allowed
			}
			return []memory.Hit{first, second}, nil
		},
	}
	r, err := eval.Run(t.Context(), queries, []memory.Lane{memory.LaneText}, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Metrics.MRR != 0.5 || r.Metrics.Recall5 != 1 {
		t.Errorf("the session has rank 2: %+v", r.Metrics)
	}
	b := r.Blocks
	if b.Answered != 1 || b.Precision != 0.5 || b.PooledRecall != 1 || b.Noise.Empty != 1 || b.ByCategory["c"].Precision != 0.5 {
		t.Errorf("blocks %+v", b)
	}
	if s := r.String(); !strings.Contains(s, "blocks, c: 100.0 % of the queries answered, precision 50.0 %, recall 100.0 %, 100.0 % of the unanswerable ones empty") {
		t.Errorf("got %s", s)
	}
	if queries[0].MaxHits() <= queries[1].MaxHits() {
		t.Error("a query that counts sessions has no more hits than others")
	}
}

func TestInvalidSessionsAreRefused(t *testing.T) {
	for _, line := range []string{
		`{"query": "q", "relevant": [], "sessions": [{"path": "a.md", "from": 1, "to": 2}]}`,
		`{"query": "q", "relevant": [{"path": "a.md", "line": 1}], "sessions": [{"path": "a.md", "from": 3, "to": 2}]}`,
		`{"query": "q", "relevant": [{"path": "a.md", "line": 1}], "allowed": [{"path": "a.md", "line": 0}]}`,
	} {
		if _, err := eval.ReadGolden(strings.NewReader(line), time.UTC); err == nil {
			t.Errorf("%s is accepted", line)
		}
	}
}

// TestReportNamesTheQueriesWhoseAnswerIsHidden has one memory that is younger than as_of.
func TestReportNamesTheQueriesWhoseAnswerIsHidden(t *testing.T) {
	asOf := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	young, old := hit("a.md", 1, 1, 40), hit("a.md", 2, 2, 40)
	young.CreatedAt, old.CreatedAt = asOf.AddDate(0, 1, 0), asOf.AddDate(0, -1, 0)
	search := func(_ context.Context, _ memory.Lane, g eval.Golden) ([]memory.Hit, error) {
		return slices.DeleteFunc([]memory.Hit{young, old}, func(h memory.Hit) bool { return !g.AsOf.IsZero() && h.CreatedAt.After(g.AsOf) }), nil
	}
	queries := []eval.Golden{golden("hidden", "", 1), golden("found", "", 2), golden("unknown", "", 3)}
	for i := range queries {
		queries[i].AsOf = asOf
	}
	r, err := eval.Run(t.Context(), queries, nil, eval.System{Search: search}, nil)
	if err != nil || !slices.Equal(r.HiddenAnswers, []string{"hidden"}) {
		t.Errorf("hidden: %v, %v", r.HiddenAnswers, err)
	}
}
