package eval

import (
	"math"
	"slices"

	"github.com/memory-tiered/memory"
)

// Metrics are values from 0 to 1; of several queries, their mean. A hit finds a
// relevant line if its memory has the same path and contains the line. Only the first
// hit that finds a line counts.
type Metrics struct {
	// The share of the relevant lines that the first 5 or 10 hits find.
	Recall5  float64 `json:"recall@5"`
	Recall10 float64 `json:"recall@10"`

	// 1 if one of the first 10 hits finds a relevant line.
	Hit10 float64 `json:"hit@10"`

	// The reciprocal rank of the first hit that finds a relevant line; 0 if none does.
	MRR float64 `json:"mrr"`

	// Normalised discounted cumulative gain of the first 10 hits. Relevant lines of one
	// memory count once.
	NDCG10 float64 `json:"ndcg@10"`

	// The share of the relevant lines found within a token budget. A hit that does not
	// fit is skipped.
	Recall500  float64 `json:"recall@500tok"`
	Recall1000 float64 `json:"recall@1000tok"`
	Recall2000 float64 `json:"recall@2000tok"`
}

// bytesPerToken is how many bytes of text the product counts as a token. Budgets
// are compared in bytes, so that nothing is rounded.
const bytesPerToken = 4

type metricField struct {
	name  string
	value *float64
}

// fields lists m's fields with their names in JSON, in that order.
func (m *Metrics) fields() []metricField {
	return []metricField{
		{"recall@5", &m.Recall5}, {"recall@10", &m.Recall10}, {"hit@10", &m.Hit10}, {"mrr", &m.MRR}, {"ndcg@10", &m.NDCG10},
		{"recall@500tok", &m.Recall500}, {"recall@1000tok", &m.Recall1000}, {"recall@2000tok", &m.Recall2000},
	}
}

// Measure computes the metrics of one query from its hits, best first, and its
// relevant lines, of which there is at least one.
func Measure(hits []memory.Hit, relevant []Line) Metrics {
	relevant = unique(relevant)
	ranks := make([]int, len(relevant))
	for i, l := range relevant {
		ranks[i] = rankOf(hits, l)
	}
	m := Metrics{Recall5: recall(ranks, 5), Recall10: recall(ranks, 10), NDCG10: ndcg(ranks, 10)}
	if m.Recall10 > 0 {
		m.Hit10 = 1
	}
	for _, rank := range ranks {
		if rank < len(hits) {
			m.MRR = max(m.MRR, 1/float64(rank+1))
		}
	}
	m.Recall500, m.Recall1000, m.Recall2000 = recallWithin(hits, relevant, 500), recallWithin(hits, relevant, 1000), recallWithin(hits, relevant, 2000)
	return m
}

// notFound is the rank of a line that no hit finds.
const notFound = math.MaxInt

// rankOf returns the rank, from 0, of the first hit that finds a line.
func rankOf(hits []memory.Hit, l Line) int {
	if rank := slices.IndexFunc(hits, l.CoveredBy); rank >= 0 {
		return rank
	}
	return notFound
}

func recall(ranks []int, k int) float64 {
	found := 0
	for _, rank := range ranks {
		if rank < k {
			found++
		}
	}
	return float64(found) / float64(len(ranks))
}

// ndcg gives each hit that finds a line first a gain of 1. The ideal order begins with
// these hits and one hit for each line that is not found.
func ndcg(ranks []int, k int) float64 {
	counted := map[int]bool{}
	var gain, ideal float64
	relevantHits := 0
	for _, rank := range ranks {
		if rank != notFound && counted[rank] {
			continue
		}
		counted[rank] = true
		if relevantHits < k {
			ideal += discount(relevantHits)
		}
		relevantHits++
		if rank < k {
			gain += discount(rank)
		}
	}
	return gain / ideal
}

func discount(rank int) float64 { return 1 / math.Log2(float64(rank)+2) }

// recallWithin returns the share of the relevant lines found within a token budget.
func recallWithin(hits []memory.Hit, relevant []Line, tokens int) float64 {
	left := tokens * bytesPerToken
	var within []memory.Hit
	for _, h := range hits {
		if len(h.Text) <= left {
			left -= len(h.Text)
			within = append(within, h)
		}
	}
	return coverage(within, relevant)
}

func unique[T comparable](list []T) (out []T) {
	seen := map[T]bool{}
	for _, one := range list {
		if !seen[one] {
			seen[one] = true
			out = append(out, one)
		}
	}
	return out
}

// round rounds x to a multiple of 1/unit, so that values in files are the same on
// every machine.
func round(x, unit float64) float64 { return math.Round(x*unit)/unit + 0 } // never -0
