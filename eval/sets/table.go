package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

// row is the result of one query.
type row struct {
	Set      string            `json:"set"`
	ID       string            `json:"id"`
	Query    string            `json:"query"`
	Category string            `json:"category"`
	Targets  []eval.Session    `json:"targets"`
	Ranks    [len(lanes)][]int `json:"ranks"` // per lane, the rank of the first hit of each target

	Within1000 float64 `json:"within_1000"` // share of the relevant lines in the first 1,000 tokens

	Injected int `json:"injected"` // memories in the block, without the allowed ones
	Right    int `json:"right"`    // of them
	Found    int `json:"found"`    // targets in the block

	Signals []string  `json:"signals,omitempty"`
	Weights []float64 `json:"weights,omitempty"`
	Hits    []hit     `json:"hits,omitempty"`
}

// hit is a hit of the hybrid lane, with its signals in the order of row.Signals.
type hit struct {
	ID         string    `json:"id"`
	Place      string    `json:"place"`
	Text       string    `json:"text"`
	Right      []int     `json:"right,omitempty"` // the targets that it finds
	Allowed    bool      `json:"allowed,omitempty"`
	Similarity float64   `json:"similarity"`
	Values     []float64 `json:"values"`
	InBlock    bool      `json:"in_block,omitempty"`
}

func (r *row) addHits(hits []memory.Hit, g eval.Golden) {
	for n, h := range hits {
		one := hit{ID: string(h.ID), Place: fmt.Sprintf("%s:%d", h.Path, h.LineStart), Text: h.Text, Similarity: h.Similarity, Allowed: allows(g, h)}
		for i, t := range r.Targets {
			if t.CoveredBy(h) {
				one.Right = append(one.Right, i)
			}
		}
		for _, f := range h.Ranking {
			one.Values = append(one.Values, f.Value)
			if n == 0 {
				r.Signals, r.Weights = append(r.Signals, f.Name), append(r.Weights, f.Weight)
			}
		}
		r.Hits = append(r.Hits, one)
	}
}

func allows(g eval.Golden, h memory.Hit) bool {
	return slices.ContainsFunc(g.Allowed, func(l eval.Line) bool { return l.CoveredBy(h) })
}

func (r *row) addBlock(block []memory.Hit, g eval.Golden) {
	for _, h := range block {
		right := slices.ContainsFunc(r.Targets, func(t eval.Session) bool { return t.CoveredBy(h) })
		if right {
			r.Right++
		}
		if right || !allows(g, h) {
			r.Injected++
		}
		for i := range r.Hits {
			r.Hits[i].InBlock = r.Hits[i].InBlock || r.Hits[i].ID == string(h.ID)
		}
	}
	for _, t := range r.Targets {
		if slices.ContainsFunc(block, func(h memory.Hit) bool { return t.CoveredBy(h) }) {
			r.Found++
		}
	}
}

func printHeader(w io.Writer) {
	fmt.Fprintf(w, "%-28s %4s | %-20s | %-20s | %-20s | %s\n", "", "n", "hybrid hit@1 MRR R@10", "words", "vectors", "block: answered precision recall memories | none empty")
}

// printRows prints one line for a set, and one for each of its categories if they are few.
func printRows(w io.Writer, name string, rows []row) {
	categories := map[string][]row{}
	var own []row
	for _, r := range rows {
		categories[r.Category] = append(categories[r.Category], r)
		if r.Category != foreignCategory {
			own = append(own, r)
		}
	}
	printRow(w, name, own)
	const few = 5
	if names := slices.Sorted(maps.Keys(categories)); len(names) <= few {
		for _, category := range names {
			if len(categories[category]) < len(own) || category == foreignCategory {
				printRow(w, "  "+category, categories[category])
			}
		}
	} else if foreign := categories[foreignCategory]; foreign != nil {
		printRow(w, "  "+foreignCategory, foreign)
	}
}

func percent(part float64, of float64) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f", 100*part/of)
}

func printRow(w io.Writer, name string, rows []row) {
	var t totals
	for _, r := range rows {
		t.add(r)
	}
	fmt.Fprintf(w, "%-28.28s %4.0f |", name, t.answerable)
	for i, l := range t.lanes {
		fmt.Fprintf(w, " %6s %6s %6s", percent(l.first, t.answerable), percent(l.reciprocal, t.answerable), percent(l.recall, t.answerable))
		if i == 0 {
			fmt.Fprintf(w, " %6s", percent(t.within1000, t.answerable))
		}
		fmt.Fprint(w, " |")
	}
	fmt.Fprintf(w, " %6s %6s %6s %6.2f | %4.0f %s\n", percent(t.answered, t.answerable), percent(t.right, t.injected), percent(t.found, t.targets),
		t.injected/max(1, t.answerable+t.none), t.none, percent(t.empty, t.none))
}

// totals adds up the results of queries.
type totals struct {
	lanes                                            [len(lanes)]struct{ first, reciprocal, recall float64 }
	answerable, none, within1000                     float64
	answered, right, injected, found, targets, empty float64
}

func (t *totals) add(r row) {
	t.injected += float64(r.Injected)
	if len(r.Targets) == 0 {
		t.none++
		if r.Injected == 0 {
			t.empty++
		}
		return
	}
	t.answerable++
	t.within1000 += r.Within1000
	t.right += float64(r.Right)
	t.found += float64(r.Found)
	t.targets += float64(len(r.Targets))
	if r.Found > 0 {
		t.answered++
	}
	for i, ranks := range r.Ranks {
		best := 0
		for _, rank := range ranks {
			if rank > 0 && (best == 0 || rank < best) {
				best = rank
			}
			if rank > 0 && rank <= 10 {
				t.lanes[i].recall += 1 / float64(len(ranks))
			}
		}
		if best == 1 {
			t.lanes[i].first++
		}
		if best > 0 {
			t.lanes[i].reciprocal += 1 / float64(best)
		}
	}
}
