package eval_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

// on makes a hit that stands on lines from to to of a file, with a text of so
// many tokens.
func on(path string, from, to, tokens int) memory.Hit {
	return memory.Hit{Memory: memory.Memory{Path: path, LineStart: from, LineEnd: to, Text: strings.Repeat("text", tokens)}}
}

// others makes n hits that answer nothing.
func others(n, tokens int) (hits []memory.Hit) {
	for i := range n {
		hits = append(hits, on("other.md", i+1, i+1, tokens))
	}
	return hits
}

func lines(numbers ...int) (out []eval.Line) {
	for _, n := range numbers {
		out = append(out, eval.Line{Path: "a.md", Line: n})
	}
	return out
}

func TestMeasure(t *testing.T) {
	log := func(place int) float64 { return 1 / math.Log2(float64(place)+2) }
	for _, tt := range []struct {
		name     string
		hits     []memory.Hit
		relevant []eval.Line
		want     eval.Metrics
	}{
		{"nothing found", nil, lines(1), eval.Metrics{}},
		{"found first", []memory.Hit{on("a.md", 1, 1, 10)}, lines(1),
			eval.Metrics{1, 1, 1, 1, 1, 1, 1, 1}},
		{"another file", []memory.Hit{on("b.md", 1, 1, 10)}, lines(1), eval.Metrics{}},
		{"before and behind the line", []memory.Hit{on("a.md", 1, 4, 10), on("a.md", 6, 9, 10)}, lines(5), eval.Metrics{}},
		{"the span's first and last line", []memory.Hit{on("a.md", 4, 6, 10)}, lines(4), eval.Metrics{1, 1, 1, 1, 1, 1, 1, 1}},
		{"the span's last line", []memory.Hit{on("a.md", 4, 6, 10)}, lines(6), eval.Metrics{1, 1, 1, 1, 1, 1, 1, 1}},
		{"found fifth", append(others(4, 1), on("a.md", 1, 1, 1)), lines(1),
			eval.Metrics{1, 1, 1, 1. / 5, log(4), 1, 1, 1}},
		{"found sixth", append(others(5, 1), on("a.md", 1, 1, 1)), lines(1),
			eval.Metrics{0, 1, 1, 1. / 6, log(5), 1, 1, 1}},
		{"found eleventh", append(others(10, 1), on("a.md", 1, 1, 1)), lines(1),
			eval.Metrics{0, 0, 0, 1. / 11, 0, 1, 1, 1}},
		{"one of two", []memory.Hit{on("a.md", 1, 1, 10)}, lines(1, 2),
			eval.Metrics{.5, .5, 1, 1, 1 / (1 + log(1)), .5, .5, .5}},
		{"a line named twice is one", []memory.Hit{on("a.md", 1, 1, 10)}, lines(1, 1),
			eval.Metrics{1, 1, 1, 1, 1, 1, 1, 1}},
		{"a line met twice is met once", []memory.Hit{on("a.md", 1, 1, 10), on("a.md", 1, 1, 10)}, lines(1, 2),
			eval.Metrics{.5, .5, 1, 1, 1 / (1 + log(1)), .5, .5, .5}},
		{"two lines of one memory are one thing", []memory.Hit{on("a.md", 1, 2, 10)}, lines(1, 2),
			eval.Metrics{1, 1, 1, 1, 1, 1, 1, 1}},
		{"budgets", append(others(3, 300), on("a.md", 1, 1, 100)), lines(1),
			eval.Metrics{1, 1, 1, 1. / 4, log(3), 1, 1, 1}},
		{"what does not fit is skipped", append(others(1, 450), on("a.md", 1, 1, 100), on("a.md", 2, 2, 50)), lines(1, 2),
			eval.Metrics{1, 1, 1, .5, (log(1) + log(2)) / (log(0) + log(1)), .5, 1, 1}},
		{"too long for any budget", []memory.Hit{on("a.md", 1, 1, 2001), on("a.md", 2, 2, 1)}, lines(1, 2),
			eval.Metrics{1, 1, 1, 1, 1, .5, .5, .5}},
		{"skipped, and met by a later hit", []memory.Hit{on("a.md", 1, 3, 600), on("a.md", 1, 1, 1)}, lines(1),
			eval.Metrics{1, 1, 1, 1, 1, 1, 1, 1}},
		{"exactly the budget", []memory.Hit{on("b.md", 1, 1, 499), on("a.md", 1, 1, 1)}, lines(1),
			eval.Metrics{1, 1, 1, .5, log(1), 1, 1, 1}},
		{"a byte over", []memory.Hit{withByte(on("b.md", 1, 1, 499)), on("a.md", 1, 1, 1)}, lines(1),
			eval.Metrics{1, 1, 1, .5, log(1), 0, 1, 1}},
		{"more lines than places", others(10, 1), lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), eval.Metrics{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := eval.Measure(tt.hits, tt.relevant); !near(got, tt.want) {
				t.Errorf("Measure = %+v,\nwant %+v", got, tt.want)
			}
		})
	}
}

func withByte(h memory.Hit) memory.Hit { h.Text += "x"; return h }

func near(a, b eval.Metrics) bool {
	x, y := numbers(a), numbers(b)
	for i := range x {
		if math.Abs(x[i]-y[i]) > 1e-9 {
			return false
		}
	}
	return true
}

func numbers(m eval.Metrics) []float64 {
	return []float64{m.Recall5, m.Recall10, m.Hit10, m.MRR, m.NDCG10, m.Recall500, m.Recall1000, m.Recall2000}
}

// All measures are shares; a better order is never measured worse; and one hit a
// line gives the textbook's figures.
func TestMeasureProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var hits []memory.Hit
		for i := range rapid.IntRange(0, eval.MaxHits).Draw(t, "hits") {
			from := rapid.IntRange(1, 30).Draw(t, "from")
			to := from + rapid.IntRange(0, 3).Draw(t, "more")
			hits = append(hits, on(rapid.SampledFrom([]string{"a.md", "b.md"}).Draw(t, "path"), from, to, rapid.IntRange(0, 600).Draw(t, fmt.Sprint("tokens", i))))
		}
		relevant := lines(rapid.SliceOfN(rapid.IntRange(1, 30), 1, 15).Draw(t, "relevant")...)
		m := eval.Measure(hits, relevant)
		for i, x := range numbers(m) {
			if !(x >= 0 && x <= 1) {
				t.Fatalf("measure %d is %v: %+v", i, x, m)
			}
		}
		if m.Recall5 > m.Recall10 || (m.Recall10 > 0) != (m.Hit10 == 1) || (m.NDCG10 > 0) != (m.Hit10 == 1) || m.MRR < m.Hit10/10 {
			t.Fatalf("the measures disagree: %+v", m)
		}
		better := append([]memory.Hit{on("a.md", relevant[0].Line, relevant[0].Line, 0)}, hits...)
		if b := eval.Measure(better, relevant); b.MRR != 1 || b.Recall500 < m.Recall500 || b.Recall2000 < m.Recall2000 {
			t.Fatalf("with a right answer before all: %+v, else %+v", b, m)
		}
	})
}
