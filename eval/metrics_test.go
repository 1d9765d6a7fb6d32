package eval_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
	"github.com/memory-tiered/memory/internal/property"
)

// hit makes a hit whose memory spans these lines of a file, with a text of so many
// tokens.
func hit(path string, from, to, tokens int) memory.Hit {
	return memory.Hit{Memory: memory.Memory{Path: path, LineStart: from, LineEnd: to, Text: strings.Repeat("text", tokens)}}
}

// irrelevant makes n hits that find no relevant line.
func irrelevant(n, tokens int) (hits []memory.Hit) {
	for i := range n {
		hits = append(hits, hit("other.md", i+1, i+1, tokens))
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
		{"found first", []memory.Hit{hit("a.md", 1, 1, 10)}, lines(1),
			eval.Metrics{1, 1, 1, 1, 1, 1, 1, 1}},
		{"another file", []memory.Hit{hit("b.md", 1, 1, 10)}, lines(1), eval.Metrics{}},
		{"before and after the line", []memory.Hit{hit("a.md", 1, 4, 10), hit("a.md", 6, 9, 10)}, lines(5), eval.Metrics{}},
		{"first line of the memory", []memory.Hit{hit("a.md", 4, 6, 10)}, lines(4), eval.Metrics{1, 1, 1, 1, 1, 1, 1, 1}},
		{"last line of the memory", []memory.Hit{hit("a.md", 4, 6, 10)}, lines(6), eval.Metrics{1, 1, 1, 1, 1, 1, 1, 1}},
		{"found fifth", append(irrelevant(4, 1), hit("a.md", 1, 1, 1)), lines(1),
			eval.Metrics{1, 1, 1, 1. / 5, log(4), 1, 1, 1}},
		{"found sixth", append(irrelevant(5, 1), hit("a.md", 1, 1, 1)), lines(1),
			eval.Metrics{0, 1, 1, 1. / 6, log(5), 1, 1, 1}},
		{"found eleventh", append(irrelevant(10, 1), hit("a.md", 1, 1, 1)), lines(1),
			eval.Metrics{0, 0, 0, 1. / 11, 0, 1, 1, 1}},
		{"one of two", []memory.Hit{hit("a.md", 1, 1, 10)}, lines(1, 2),
			eval.Metrics{.5, .5, 1, 1, 1 / (1 + log(1)), .5, .5, .5}},
		{"a line listed twice counts once", []memory.Hit{hit("a.md", 1, 1, 10)}, lines(1, 1),
			eval.Metrics{1, 1, 1, 1, 1, 1, 1, 1}},
		{"a line found twice counts once", []memory.Hit{hit("a.md", 1, 1, 10), hit("a.md", 1, 1, 10)}, lines(1, 2),
			eval.Metrics{.5, .5, 1, 1, 1 / (1 + log(1)), .5, .5, .5}},
		{"two lines of one memory count once", []memory.Hit{hit("a.md", 1, 2, 10)}, lines(1, 2),
			eval.Metrics{1, 1, 1, 1, 1, 1, 1, 1}},
		{"budgets", append(irrelevant(3, 300), hit("a.md", 1, 1, 100)), lines(1),
			eval.Metrics{1, 1, 1, 1. / 4, log(3), 1, 1, 1}},
		{"a hit that does not fit is skipped", append(irrelevant(1, 450), hit("a.md", 1, 1, 100), hit("a.md", 2, 2, 50)), lines(1, 2),
			eval.Metrics{1, 1, 1, .5, (log(1) + log(2)) / (log(0) + log(1)), .5, 1, 1}},
		{"too long for any budget", []memory.Hit{hit("a.md", 1, 1, 2001), hit("a.md", 2, 2, 1)}, lines(1, 2),
			eval.Metrics{1, 1, 1, 1, 1, .5, .5, .5}},
		{"found by a hit after a skipped one", []memory.Hit{hit("a.md", 1, 3, 600), hit("a.md", 1, 1, 1)}, lines(1),
			eval.Metrics{1, 1, 1, 1, 1, 1, 1, 1}},
		{"exactly the budget", []memory.Hit{hit("b.md", 1, 1, 499), hit("a.md", 1, 1, 1)}, lines(1),
			eval.Metrics{1, 1, 1, .5, log(1), 1, 1, 1}},
		{"one byte over the budget", []memory.Hit{withByte(hit("b.md", 1, 1, 499)), hit("a.md", 1, 1, 1)}, lines(1),
			eval.Metrics{1, 1, 1, .5, log(1), 0, 1, 1}},
		{"more lines than hits", irrelevant(10, 1), lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), eval.Metrics{}},
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

// TestMeasureProperties checks that every metric is between 0 and 1, that and that
// the metrics are consistent. It also checks that a relevant hit at the top does
// not lower them.
func TestMeasureProperties(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		var hits []memory.Hit
		for i := range rapid.IntRange(0, eval.MaxHits).Draw(t, "hits") {
			from := rapid.IntRange(1, 30).Draw(t, "from")
			to := from + rapid.IntRange(0, 3).Draw(t, "more")
			hits = append(hits, hit(rapid.SampledFrom([]string{"a.md", "b.md"}).Draw(t, "path"), from, to, rapid.IntRange(0, 600).Draw(t, fmt.Sprint("tokens", i))))
		}
		relevant := lines(rapid.SliceOfN(rapid.IntRange(1, 30), 1, 15).Draw(t, "relevant")...)
		m := eval.Measure(hits, relevant)
		for i, x := range numbers(m) {
			if !(x >= 0 && x <= 1) {
				t.Fatalf("metric %d is %v: %+v", i, x, m)
			}
		}
		if m.Recall5 > m.Recall10 || (m.Recall10 > 0) != (m.Hit10 == 1) || (m.NDCG10 > 0) != (m.Hit10 == 1) || m.MRR < m.Hit10/10 {
			t.Fatalf("the metrics are not consistent: %+v", m)
		}
		better := append([]memory.Hit{hit("a.md", relevant[0].Line, relevant[0].Line, 0)}, hits...)
		if b := eval.Measure(better, relevant); b.MRR != 1 || b.Recall500 < m.Recall500 || b.Recall2000 < m.Recall2000 {
			t.Fatalf("with a relevant hit at the top: %+v, without: %+v", b, m)
		}
	})
}
