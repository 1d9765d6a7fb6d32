package eval_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
	"github.com/memory-tiered/memory/internal/must"
)

var update = flag.Bool("update", false, "write the golden files again")

func golden(id, category string, numbers ...int) eval.Golden {
	return eval.Golden{ID: id, Query: id, Category: category, Relevant: lines(numbers...)}
}

// runExample runs four queries. The text lane finds the first two, the vector lane the
// last two, and the hybrid lane all. Each search takes 1 ms longer than the one before.
func runExample(t *testing.T) eval.Report {
	t.Helper()
	searches := 0
	find := map[memory.Lane][]int{memory.LaneText: {1, 2}, memory.LaneVector: {3, 4}, memory.LaneHybrid: {1, 2, 3, 4}}
	search := func(_ context.Context, lane memory.Lane, g eval.Golden) ([]memory.Hit, error) {
		searches++
		time.Sleep(time.Duration(searches) * time.Millisecond)
		hits := irrelevant(3, 250)
		if n := g.Relevant[0].Line; slices.Contains(find[lane], n) {
			hits = slices.Insert(hits, n-1, hit("a.md", n, n, 10))
		}
		return hits, nil
	}
	var report eval.Report
	synctest.Test(t, func(t *testing.T) {
		var err error
		report, err = eval.Run(t.Context(), []eval.Golden{golden("q1", "names", 1), golden("q2", "dates", 2), golden("q3", "dates", 3), golden("q4", "", 4)},
			nil, eval.System{Search: search}, nil)
		if err != nil {
			t.Error(err)
		}
	})
	return report
}

func TestRunMeasuresEveryLaneAndCategory(t *testing.T) {
	r := runExample(t)
	if r.Queries != 4 || r.Metrics != r.Lanes[memory.LaneHybrid] || len(r.Lanes) != 3 {
		t.Errorf("%d queries, metrics %+v, lanes %+v", r.Queries, r.Metrics, r.Lanes)
	}
	if m := r.Metrics; m.Recall5 != 1 || m.MRR != 0.520833 || m.Recall500 != .5 || m.Recall1000 != 1 {
		t.Errorf("hybrid: %+v", m)
	}
	if text, vector := r.Lanes[memory.LaneText], r.Lanes[memory.LaneVector]; text.Recall10 != .5 || text.MRR != .375 || vector.MRR != 0.145833 {
		t.Errorf("text: %+v\nvector: %+v", text, vector)
	}
	if want := map[string]int{"names": 1, "dates": 2}; !reflect.DeepEqual(r.CategoryQueries, want) {
		t.Errorf("categories of %v queries, want %v", r.CategoryQueries, want)
	}
	if c := r.ByCategory; c["names"].MRR != 1 || c["dates"].Recall10 != 1 || c["dates"].MRR != 0.416667 {
		t.Errorf("by category: %+v", c)
	}
	if c := r.LanesByCategory; c[memory.LaneText]["dates"].Recall10 != .5 || c[memory.LaneVector]["names"].Recall10 != 0 {
		t.Errorf("lanes by category: %+v", c)
	}
	// Hybrid is the first of the three lanes: 1, 4, 7 and 10 ms.
	if want := (eval.Latency{P50: 4, P95: 10, Max: 10}); r.LatencyMS != want || r.LaneLatencyMS[memory.LaneHybrid] != want {
		t.Errorf("latency %+v, of the lane %+v; want %+v", r.LatencyMS, r.LaneLatencyMS[memory.LaneHybrid], want)
	}
}

func TestLatencyPercentiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var queries []eval.Golden
		for range 100 {
			queries = append(queries, golden("q", "", 1))
		}
		searches := 0
		search := func(context.Context, memory.Lane, eval.Golden) ([]memory.Hit, error) {
			searches++
			time.Sleep(time.Duration((searches*37)%100+1) * time.Millisecond) // 1 to 100, not in order
			return nil, nil
		}
		r, err := eval.Run(t.Context(), queries, []memory.Lane{memory.LaneText}, eval.System{Search: search}, nil)
		if want := (eval.Latency{P50: 50, P95: 95, Max: 100}); err != nil || r.LatencyMS != want {
			t.Errorf("latency %+v, %v; want %+v", r.LatencyMS, err, want)
		}
		if r.Metrics != r.Lanes[memory.LaneText] || len(r.Lanes) != 1 {
			t.Errorf("the metrics of the only lane: %+v, %+v", r.Metrics, r.Lanes)
		}
	})
}

func TestOnlyFirstHitsCount(t *testing.T) {
	for place, want := range map[int]float64{eval.MaxHits - 1: 1, eval.MaxHits: 0} {
		search := func(context.Context, memory.Lane, eval.Golden) ([]memory.Hit, error) {
			return append(irrelevant(place, 1), hit("a.md", 1, 1, 1)), nil
		}
		r, err := eval.Run(t.Context(), []eval.Golden{golden("q", "", 1)}, nil, eval.System{Search: search}, nil)
		if err != nil || r.Metrics.Recall2000 != want || (r.Metrics.MRR > 0) != (want > 0) {
			t.Errorf("found at rank %d: %+v, %v", place, r.Metrics, err)
		}
	}
}

func TestRunReportsProgress(t *testing.T) {
	var progress [][2]int
	search := func(context.Context, memory.Lane, eval.Golden) ([]memory.Hit, error) { return nil, nil }
	_, err := eval.Run(t.Context(), []eval.Golden{golden("a", "", 1), golden("b", "", 1)},
		[]memory.Lane{memory.LaneText, memory.LaneHybrid}, eval.System{Search: search}, func(done, total int) { progress = append(progress, [2]int{done, total}) })
	if want := [][2]int{{1, 2}, {2, 2}}; err != nil || !reflect.DeepEqual(progress, want) {
		t.Errorf("progress %v, %v; want %v", progress, err, want)
	}
}

func TestRunReturnsErrors(t *testing.T) {
	out := errors.New("the vector lane is out")
	fails := func(_ context.Context, lane memory.Lane, _ eval.Golden) ([]memory.Hit, error) {
		if lane == memory.LaneVector {
			return nil, out
		}
		return nil, nil
	}
	_, err := eval.Run(t.Context(), []eval.Golden{golden("q7", "", 1)}, nil, eval.System{Search: fails}, nil)
	if !errors.Is(err, out) || !strings.Contains(err.Error(), "q7 (vector)") {
		t.Errorf("a lane that is out: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stops := func(context.Context, memory.Lane, eval.Golden) ([]memory.Hit, error) { cancel(); return nil, nil }
	if _, err := eval.Run(ctx, []eval.Golden{golden("q", "", 1)}, nil, eval.System{Search: stops}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for name, queries := range map[string][]eval.Golden{"none": nil, "nothing relevant": {golden("q", "")}} {
		if _, err := eval.Run(t.Context(), queries, nil, eval.System{Search: stops}, nil); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReportSurvivesJSON(t *testing.T) {
	r := runExample(t)
	src := must.Get(json.MarshalIndent(r, "", " "))(t)
	compareGolden(t, "testdata/report.json", string(src)+"\n")
	var back eval.Report
	if err := json.Unmarshal(src, &back); err != nil || !reflect.DeepEqual(back, r) {
		t.Errorf("read back: %+v, %v", back, err)
	}
}

func TestQualityHasNoLatency(t *testing.T) {
	src, err := json.Marshal(runExample(t).Quality())
	if err != nil || strings.Contains(string(src), "latency") {
		t.Errorf("%s, %v: contains latency", src, err)
	}
}

func TestTableShowsTheReport(t *testing.T) {
	compareGolden(t, "testdata/report.txt", runExample(t).String())
}

func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		must.Do(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		t.Errorf("%s differs (-update writes it again): %v\n%s", file, err, got)
	}
}
