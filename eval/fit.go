package eval

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/memory-tiered/memory"
)

// Fitted are the weights of a ranking's signals that suit golden queries best.
type Fitted struct {
	Queries int            `json:"queries"` // of which a right hit was found
	Hits    int            `json:"hits"`
	Signals []FittedSignal `json:"signals"`
	Bias    float64        `json:"bias"` // log-odds of a memory of which no signal says anything
}

// FittedSignal is one signal: its weight in the sum that hits are ordered by, as
// it is and as it is fitted, and in the log-odds that a hit is right. A signal
// that has no part in the sum is given none.
type FittedSignal struct {
	Name   string  `json:"name"`
	InUse  float64 `json:"in_use"`
	Weight float64 `json:"weight"`
	Odds   float64 `json:"odds"`
}

// sample is a golden query's hits: what the signals say of each, and which are
// right.
type sample struct {
	signals [][]float64
	right   []bool
	foreign bool // nothing answers it
}

// fitted are how many hits of a query are learned from: what is injected comes
// from them.
const fitted = 20

// onlyOrder are the signals that say which hit of a query is best, and not whether
// that answers: context and behind compare with the best of the query itself, an
// event is dated by what the query found, and of the others a conversation's hits
// have as much for a question that is foreign to it.
var onlyOrder = []string{"context", "behind", "event", "named", "asks", "after", "when", "many"}

// Fit asks the golden queries in the hybrid lane, with the signals of each hit,
// and gives the weights that order right hits first (listwise softmax) and the
// curve that tells right from wrong (logistic regression).
func Fit(ctx context.Context, golden []Golden, search Search, progress func(done, total int)) (Fitted, error) {
	var samples []sample
	var named memory.List[memory.Factor]
	for i, g := range golden {
		hits, err := search(ctx, memory.LaneHybrid, g)
		if err != nil {
			return Fitted{}, fmt.Errorf("ask golden query %s: %w", g.ID, err)
		}
		s := sample{foreign: len(g.Relevant) == 0}
		for _, h := range hits[:min(len(hits), MaxHits)] {
			if len(h.Ranking) == 0 {
				return Fitted{}, memory.Invalid("search.fusion", "there are no signals to fit").WithHint("search.fusion must be ranking")
			}
			named = h.Ranking
			s.add(h, g)
		}
		samples = append(samples, s)
		progress(i+1, len(golden))
	}
	if len(named) == 0 {
		return Fitted{}, memory.Invalid("golden", "no golden query finds anything")
	}
	return fit(samples, named), nil
}

func (s *sample) add(h memory.Hit, g Golden) {
	values, right := make([]float64, len(h.Ranking)), false
	for i, f := range h.Ranking {
		values[i] = f.Value
	}
	for _, line := range g.Relevant {
		right = right || line.on(h)
	}
	s.signals, s.right = append(s.signals, values), append(s.right, right)
}

func fit(samples []sample, named []memory.Factor) Fitted {
	var inSum []int
	out := Fitted{}
	for i, f := range named {
		out.Signals = append(out.Signals, FittedSignal{Name: f.Name, InUse: f.Weight})
		if f.Weight != 0 {
			inSum = append(inSum, i)
		}
	}
	for _, s := range samples {
		out.Hits += len(s.right)
		for _, right := range s.right {
			if right {
				out.Queries++
				break
			}
		}
	}
	for i, w := range minimise(len(inSum), func(w []float64) *loss { return orderLoss(samples, inSum, w) }) {
		out.Signals[inSum[i]].Weight = round(w, 1e3)
	}
	for _, s := range samples {
		for i := range s.signals {
			for k, f := range named {
				if slices.Contains(onlyOrder, f.Name) {
					s.signals[i][k] = 0
				}
			}
		}
	}
	odds := minimise(len(named)+1, func(w []float64) *loss { return oddsLoss(samples, w) })
	out.Bias = round(odds[len(named)], 1e3)
	for i := range out.Signals {
		out.Signals[i].Odds = round(odds[i], 1e3)
	}
	return out
}

// WriteTable writes f for a person.
func (f Fitted) WriteTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%d queries, %d hits\tin use\tfitted\todds\t\n", f.Queries, f.Hits)
	for _, s := range f.Signals {
		fmt.Fprintf(t, "%s\t%.2f\t%.2f\t%.2f\t\n", s.Name, s.InUse, s.Weight, s.Odds)
	}
	fmt.Fprintf(t, "bias\t\t\t%.2f\t\n", f.Bias)
	return t.Flush()
}
