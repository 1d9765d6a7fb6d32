package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

// weights are the weights of a ranking's signals that suit golden queries best.
type weights struct {
	queries int // with at least one relevant hit
	hits    int
	signals []signalWeights
	bias    float64 // log-odds of a hit whose signals are all 0
}

// signalWeights is one signal with its weights: inUse and fitted in the sum that orders
// hits, odds in the log-odds that a hit is relevant. A signal that has no part
// in the sum keeps the weight 0 there.
type signalWeights struct {
	name                string
	inUse, fitted, odds float64
}

// sample is the hits of one golden query: their signal values, and which hits
// are relevant.
type sample struct {
	values       [][]float64
	relevant     []bool
	unanswerable bool // no memory answers the query
}

// oddsHits is how many hits of a query the odds are fitted to. recall injects
// none from further down.
const oddsHits = 20

// orderOnly are the signals that order the hits of one query but do not tell
// whether a hit answers it, so the odds ignore them. context and behind compare
// with the best hit of the query itself. An event's date comes from what the
// query found. Hits of a conversation have as much of the others for a query
// that it does not answer.
var orderOnly = []string{"context", "behind", "event", "named", "asks", "after", "when", "many"}

// fit runs the golden queries in the hybrid lane and fits two sets of weights to
// the signals of the hits. One set orders relevant hits first (listwise
// softmax). The other are those that tell relevant hits from others (logistic
// regression).
func fit(ctx context.Context, golden []eval.Golden, search eval.Search) (weights, error) {
	var samples []sample
	var ranking memory.List[memory.Factor] // names and weights, the same for every hit
	for _, g := range golden {
		hits, err := search(ctx, memory.LaneHybrid, g)
		if err != nil {
			return weights{}, fmt.Errorf("golden query %s: %w", g.ID, err)
		}
		s := sample{unanswerable: len(g.Relevant) == 0}
		for _, h := range hits[:min(len(hits), eval.MaxHits)] {
			if len(h.Ranking) == 0 {
				return weights{}, errors.New("the hits have no signals")
			}
			ranking = h.Ranking
			s.add(h, g)
		}
		samples = append(samples, s)
	}
	if len(ranking) == 0 {
		return weights{}, errors.New("no golden query finds anything")
	}
	return fitSamples(samples, ranking), nil
}

func (s *sample) add(h memory.Hit, g eval.Golden) {
	values := make([]float64, len(h.Ranking))
	for i, f := range h.Ranking {
		values[i] = f.Value
	}
	relevant := slices.ContainsFunc(g.Relevant, func(l eval.Line) bool { return l.CoveredBy(h) })
	s.values, s.relevant = append(s.values, values), append(s.relevant, relevant)
}

func fitSamples(samples []sample, ranking []memory.Factor) weights {
	var summed []int // the signals that have a part in the sum
	out := weights{}
	for i, f := range ranking {
		out.signals = append(out.signals, signalWeights{name: f.Name, inUse: f.Weight})
		if f.Weight != 0 {
			summed = append(summed, i)
		}
	}
	for _, s := range samples {
		out.hits += len(s.relevant)
		if slices.Contains(s.relevant, true) {
			out.queries++
		}
	}
	for i, w := range optimise(len(summed), func(w []float64) *loss { return orderLoss(samples, summed, w) }) {
		out.signals[summed[i]].fitted = w
	}
	for i, f := range ranking {
		if slices.Contains(orderOnly, f.Name) {
			for _, s := range samples {
				for _, values := range s.values {
					values[i] = 0
				}
			}
		}
	}
	odds := optimise(len(ranking)+1, func(w []float64) *loss { return oddsLoss(samples, w) })
	out.bias = odds[len(ranking)]
	for i := range out.signals {
		out.signals[i].odds = odds[i]
	}
	return out
}

func (w weights) writeTable(out io.Writer) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%d queries, %d hits\tin use\tfitted\todds\t\n", w.queries, w.hits)
	for _, s := range w.signals {
		fmt.Fprintf(t, "%s\t%.2f\t%.2f\t%.2f\t\n", s.name, s.inUse, cents(s.fitted), cents(s.odds))
	}
	fmt.Fprintf(t, "bias\t\t\t%.2f\t\n", cents(w.bias))
	return t.Flush()
}

// cents rounds x to two decimals, and never returns -0.
func cents(x float64) float64 { return math.Round(100*x)/100 + 0 }
