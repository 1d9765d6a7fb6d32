package eval

import (
	"math"

	"github.com/memory-tiered/memory"
)

// Metrics are shares from 0 to 1; of several queries, the mean. A relevant line
// is met by the first hit whose memory stands on it: same path, and the line
// within its span. Hits that meet it again add nothing.
type Metrics struct {
	// The share of the relevant lines that the first 5 or 10 hits meet.
	Recall5  float64 `json:"recall@5"`
	Recall10 float64 `json:"recall@10"`

	// 1 where one of the first 10 hits meets a relevant line.
	Hit10 float64 `json:"hit@10"`

	// One by the place of the first hit that meets a relevant line; 0 where none
	// does.
	MRR float64 `json:"mrr"`

	// Discounted cumulative gain of the first 10 hits over the best that it could
	// be. Relevant lines of one memory are one thing to find.
	NDCG10 float64 `json:"ndcg@10"`

	// The share of the relevant lines that is met within a budget of tokens.
	// Hits are taken in order, and one that does not fit is skipped.
	Recall500  float64 `json:"recall@500tok"`
	Recall1000 float64 `json:"recall@1000tok"`
	Recall2000 float64 `json:"recall@2000tok"`
}

// BytesPerToken is how many bytes of text the product counts as a token. Budgets
// are compared in bytes, so that nothing is rounded.
const BytesPerToken = 4

type figure struct {
	name  string
	value *float64
}

// figures lists m's fields, by their names in JSON and in their order there.
func (m *Metrics) figures() []figure {
	return []figure{
		{"recall@5", &m.Recall5}, {"recall@10", &m.Recall10}, {"hit@10", &m.Hit10}, {"mrr", &m.MRR}, {"ndcg@10", &m.NDCG10},
		{"recall@500tok", &m.Recall500}, {"recall@1000tok", &m.Recall1000}, {"recall@2000tok", &m.Recall2000},
	}
}

// Measure holds the hits of one query, best first, against its relevant lines,
// of which there is at least one.
func Measure(hits []memory.Hit, relevant []Line) Metrics {
	lines := distinct(relevant)
	places := make([]int, len(lines))
	for i, line := range lines {
		places[i] = firstOn(hits, line)
	}
	m := Metrics{Recall5: recall(places, 5), Recall10: recall(places, 10), NDCG10: ndcg(places, 10)}
	if m.Recall10 > 0 {
		m.Hit10 = 1
	}
	for _, place := range places {
		if place < len(hits) {
			m.MRR = max(m.MRR, 1/float64(place+1))
		}
	}
	m.Recall500, m.Recall1000, m.Recall2000 = within(hits, lines, 500), within(hits, lines, 1000), within(hits, lines, 2000)
	return m
}

// nowhere is the place of a line that no hit meets.
const nowhere = math.MaxInt

func firstOn(hits []memory.Hit, line Line) int {
	for i, h := range hits {
		if line.CoveredBy(h) {
			return i
		}
	}
	return nowhere
}

// CoveredBy reports whether l is one of the lines that h comes from.
func (l Line) CoveredBy(h memory.Hit) bool {
	return h.Path == l.Path && h.LineStart <= l.Line && l.Line <= h.LineEnd
}

func recall(places []int, k int) float64 {
	met := 0
	for _, place := range places {
		if place < k {
			met++
		}
	}
	return float64(met) / float64(len(places))
}

// ndcg gives each hit that meets a line for the first time a gain of 1. The best
// order has these and one hit for each line that is met nowhere at its top.
func ndcg(places []int, k int) float64 {
	hit := map[int]bool{}
	var gain, best float64
	things := 0
	for _, place := range places {
		if place != nowhere && hit[place] {
			continue
		}
		hit[place] = true
		if things < k {
			best += discount(things)
		}
		things++
		if place < k {
			gain += discount(place)
		}
	}
	return gain / best
}

func discount(place int) float64 { return 1 / math.Log2(float64(place)+2) }

func within(hits []memory.Hit, lines []Line, tokens int) float64 {
	left, met := tokens*BytesPerToken, map[Line]bool{}
	for _, h := range hits {
		if len(h.Text) > left {
			continue
		}
		left -= len(h.Text)
		for _, line := range lines {
			if line.CoveredBy(h) {
				met[line] = true
			}
		}
	}
	return float64(len(met)) / float64(len(lines))
}

func distinct(lines []Line) (out []Line) {
	seen := map[Line]bool{}
	for _, line := range lines {
		if !seen[line] {
			seen[line] = true
			out = append(out, line)
		}
	}
	return out
}

// round cuts what differs from machine to machine off a figure that is kept in a
// file. unit is how many steps there are to one.
func round(x, unit float64) float64 { return math.Round(x*unit)/unit + 0 } // never -0
