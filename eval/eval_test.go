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
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(id, category string, numbers ...int) eval.Golden {
	return eval.Golden{ID: id, Query: id, Category: category, Relevant: lines(numbers...)}
}

// run asks four queries: the text lane finds the first two, the vector lane the
// last two, hybrid all; each search takes longer than the one before.
func run(t *testing.T) eval.Report {
	t.Helper()
	asked := 0
	find := map[memory.Lane][]int{memory.LaneText: {1, 2}, memory.LaneVector: {3, 4}, memory.LaneHybrid: {1, 2, 3, 4}}
	search := func(_ context.Context, lane memory.Lane, g eval.Golden) ([]memory.Hit, error) {
		asked++
		time.Sleep(time.Duration(asked) * time.Millisecond)
		hits := others(3, 250)
		if n := g.Relevant[0].Line; slices.Contains(find[lane], n) {
			hits = slices.Insert(hits, n-1, on("a.md", n, n, 10))
		}
		return hits, nil
	}
	var report eval.Report
	synctest.Test(t, func(t *testing.T) {
		var err error
		report, err = eval.Run(t.Context(), []eval.Golden{golden("q1", "names", 1), golden("q2", "dates", 2), golden("q3", "dates", 3), golden("q4", "", 4)},
			nil, eval.Product{Search: search}, nil)
		if err != nil {
			t.Error(err)
		}
	})
	return report
}

func TestRun(t *testing.T) {
	r := run(t)
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
	// Hybrid is asked first of the three: 1, 4, 7 and 10 ms.
	if want := (eval.Latency{P50: 4, P95: 10, Max: 10}); r.LatencyMS != want || r.LaneLatencyMS[memory.LaneHybrid] != want {
		t.Errorf("latency %+v, of the lane %+v; want %+v", r.LatencyMS, r.LaneLatencyMS[memory.LaneHybrid], want)
	}
	if r.WrongScope != nil {
		t.Errorf("wrong scope %v where none was asked in", *r.WrongScope)
	}
}

func TestPercentiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var queries []eval.Golden
		for range 100 {
			queries = append(queries, golden("q", "", 1))
		}
		asked := 0
		search := func(context.Context, memory.Lane, eval.Golden) ([]memory.Hit, error) {
			asked++
			time.Sleep(time.Duration((asked*37)%100+1) * time.Millisecond) // 1 to 100, in no order
			return nil, nil
		}
		r, err := eval.Run(t.Context(), queries, []memory.Lane{memory.LaneText}, eval.Product{Search: search}, nil)
		if want := (eval.Latency{P50: 50, P95: 95, Max: 100}); err != nil || r.LatencyMS != want {
			t.Errorf("latency %+v, %v; want %+v", r.LatencyMS, err, want)
		}
		if r.Metrics != r.Lanes[memory.LaneText] || len(r.Lanes) != 1 {
			t.Errorf("the metrics of the only lane: %+v, %+v", r.Metrics, r.Lanes)
		}
	})
}

func TestOnlyTheFirstHitsCount(t *testing.T) {
	for place, want := range map[int]float64{eval.MaxHits - 1: 1, eval.MaxHits: 0} {
		search := func(context.Context, memory.Lane, eval.Golden) ([]memory.Hit, error) {
			return append(others(place, 1), on("a.md", 1, 1, 1)), nil
		}
		r, err := eval.Run(t.Context(), []eval.Golden{golden("q", "", 1)}, nil, eval.Product{Search: search}, nil)
		if err != nil || r.Metrics.Recall2000 != want || (r.Metrics.MRR > 0) != (want > 0) {
			t.Errorf("found in place %d: %+v, %v", place, r.Metrics, err)
		}
	}
}

func TestProgress(t *testing.T) {
	var told [][2]int
	search := func(context.Context, memory.Lane, eval.Golden) ([]memory.Hit, error) { return nil, nil }
	_, err := eval.Run(t.Context(), []eval.Golden{golden("a", "", 1), golden("b", "", 1)},
		[]memory.Lane{memory.LaneText, memory.LaneHybrid}, eval.Product{Search: search}, func(done, total int) { told = append(told, [2]int{done, total}) })
	if want := [][2]int{{1, 2}, {2, 2}}; err != nil || !reflect.DeepEqual(told, want) {
		t.Errorf("progress %v, %v; want %v", told, err, want)
	}
}

func TestWrongScope(t *testing.T) {
	hit := func(s memory.Scope) memory.Hit { return memory.Hit{Memory: memory.Memory{Scope: s}} }
	search := func(context.Context, memory.Lane, eval.Golden) ([]memory.Hit, error) {
		return []memory.Hit{hit("work"), hit(""), hit(memory.ScopeGlobal), hit("home")}, nil
	}
	scoped := golden("a", "", 1)
	scoped.Scope = "work"
	r, err := eval.Run(t.Context(), []eval.Golden{scoped, golden("b", "", 1)}, nil, eval.Product{Search: search}, nil)
	if err != nil || r.WrongScope == nil || *r.WrongScope != .25 {
		t.Errorf("wrong scope %v, %v; want a quarter", r.WrongScope, err)
	}
}

func TestRunFails(t *testing.T) {
	out := errors.New("the vector lane is out")
	fails := func(_ context.Context, lane memory.Lane, _ eval.Golden) ([]memory.Hit, error) {
		if lane == memory.LaneVector {
			return nil, out
		}
		return nil, nil
	}
	_, err := eval.Run(t.Context(), []eval.Golden{golden("q7", "", 1)}, nil, eval.Product{Search: fails}, nil)
	if !errors.Is(err, out) || !strings.Contains(err.Error(), "q7 (vector)") {
		t.Errorf("a lane that is out: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stops := func(context.Context, memory.Lane, eval.Golden) ([]memory.Hit, error) { cancel(); return nil, nil }
	if _, err := eval.Run(ctx, []eval.Golden{golden("q", "", 1)}, nil, eval.Product{Search: stops}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for name, queries := range map[string][]eval.Golden{"none": nil, "nothing relevant": {golden("q", "")}} {
		if _, err := eval.Run(t.Context(), queries, nil, eval.Product{Search: stops}, nil); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReportAsJSON(t *testing.T) {
	r := run(t)
	src, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "testdata/report.json", string(src)+"\n")
	var back eval.Report
	if err := json.Unmarshal(src, &back); err != nil || !reflect.DeepEqual(back, r) {
		t.Errorf("read back: %+v, %v", back, err)
	}
}

func TestQualityIsTheSameEachTime(t *testing.T) {
	src, err := json.Marshal(run(t).Quality())
	if err != nil || strings.Contains(string(src), "latency") {
		t.Errorf("%s, %v: holds latency", src, err)
	}
}

func TestTable(t *testing.T) {
	compareGolden(t, "testdata/report.txt", run(t).String())
}

func TestCompare(t *testing.T) {
	now, before := run(t), run(t)
	worse := before.Lanes[memory.LaneHybrid]
	worse.Recall10, worse.MRR = 0.75, 0.620833
	before.Metrics, before.Lanes[memory.LaneHybrid] = worse, worse
	dates := before.LanesByCategory[memory.LaneText]["dates"]
	dates.Recall10 = 0.5004 // too little to be seen, and not to be printed as -0.0
	before.LanesByCategory[memory.LaneText]["dates"] = dates
	delete(before.Lanes, memory.LaneVector)
	delete(before.LanesByCategory, memory.LaneVector)
	delete(before.ByCategory, "names")
	before.Queries = 5

	now.Comparison = now.Compare(before)
	c := now.Comparison
	if c.Metrics.Recall10 != .25 || c.Metrics.MRR != -.1 || c.Metrics.Recall5 != 0 || c.Metrics != c.Lanes[memory.LaneHybrid] {
		t.Errorf("changes %+v, of the lane %+v", c.Metrics, c.Lanes[memory.LaneHybrid])
	}
	if _, ok := c.Lanes[memory.LaneVector]; ok || len(c.ByCategory) != 1 || len(c.LanesByCategory) != 2 {
		t.Errorf("what only one report has is compared: %+v", c)
	}
	compareGolden(t, "testdata/compared.txt", now.String())
	if same := now.Compare(now); same.Metrics != (eval.Metrics{}) || len(same.Lanes) != 3 {
		t.Errorf("a report less itself: %+v", same)
	}
}

func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		t.Errorf("%s differs (-update writes it anew): %v\n%s", file, err, got)
	}
}
