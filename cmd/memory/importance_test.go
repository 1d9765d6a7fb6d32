package main

import (
	"fmt"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

// measureGrades grades every golden set, and measures it. nil fields: nothing is graded.
func measureGrades(t *testing.T, fields []string, environ ...string) (q quality) {
	t.Helper()
	queries := 0.0
	for _, dir := range goldenSets {
		m := openGolden(t, dir, environ...)
		if fields != nil {
			a, err := m.Grade(t.Context(), memory.GradeRequest{Workspace: m.Workspace, Fields: fields})
			must(t, err)
			if a.Updated == 0 {
				t.Fatalf("%s: nothing is graded: %+v", dir, a)
			}
		}
		r, err := eval.Run(t.Context(), m.golden, []memory.Lane{memory.LaneHybrid}, eval.System{Search: m.product(new(int)).Search, Inject: m.injectGolden}, nil)
		must(t, err)
		n := float64(r.Queries)
		queries += n
		q.recall10, q.mrr, q.injected = q.recall10+n*r.Metrics.Recall10, q.mrr+n*r.Metrics.MRR, q.injected+n*r.Blocks.Recall
	}
	return quality{q.recall10 / queries, q.mrr / queries, q.injected / queries}
}

// The default of scoring.importance was chosen on graded workspaces. No other weight is
// better there with the default order.
func TestDefaultImportanceWeightIsTheBest(t *testing.T) {
	if testing.Short() {
		t.Skip("runs hundreds of queries")
	}
	importance := []string{memory.GradeImportance}
	byDefault := measureGrades(t, importance)
	t.Logf("default: %s", byDefault)
	for _, weight := range []float64{0.1, 0.2, 0.4} {
		environ := fmt.Sprintf("MEMORY_SCORING_IMPORTANCE=%v", weight)
		q := measureGrades(t, importance, environ)
		t.Logf("weight %.1f: %s", weight, q)
		const noise = 0.005 // half a point: one query in two hundred
		if q.recall10 > byDefault.recall10+noise || q.mrr > byDefault.mrr+noise || q.injected > byDefault.injected+noise {
			t.Errorf("a weight of %.1f is better than the default", weight)
		}
	}
	if !testing.Verbose() {
		return
	}
	t.Logf("no grades: %s", measureGrades(t, nil)) // the rest is checked by nothing
	t.Logf("labels: %s", measureGrades(t, memory.GradeFields))
	for _, weight := range []float64{0, 0.1, 0.2, 0.4} {
		environ := fmt.Sprintf("MEMORY_SCORING_IMPORTANCE=%v", weight)
		t.Logf("prd, weight %.1f: %s", weight, measureGrades(t, importance, environ, "MEMORY_SCORING_PRESET=prd"))
	}
}
