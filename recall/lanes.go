package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/memory-tiered/memory"
)

// candidatesPerLane is the least number of visible candidates that each lane is asked
// for. Measured: with 100, answers are as good as with all memories.
const candidatesPerLane = 100

// The status of a lane is laneOK if it serves, else the reason why not.
const (
	laneOK      = "ok"
	laneNoTerms = "no words to search for"
)

// lane holds the candidates of one lane, best first.
type lane struct {
	found  []*memory.Candidate
	status string // empty if the lane was not asked
}

func (l lane) ok() bool { return l.status == laneOK }

// lanes holds the results of both lanes.
type lanes struct {
	text, vector lane
	signals      []memory.Signals  // of the memories that either lane found, if the fusion needs them
	aboutSubject []memory.Signals  // of notes about the subject that neither lane found
	writtenThen  []memory.ID       // at the time that the question asks for as a whole
	into         *[]memory.Signals // the memory of signals, until release
	candidates   *[]candidate      // the memory of those that the lanes found, until release; nil: none yet
	memories     *[]memory.Memory  // likewise of what they point to
}

// statuses returns the status of each lane that was asked, as an answer shows it.
func (l lanes) statuses() map[memory.Lane]string {
	byLane := map[memory.Lane]string{}
	for name, status := range map[memory.Lane]string{memory.LaneText: l.text.status, memory.LaneVector: l.vector.status} {
		if status != "" {
			byLane[name] = status
		}
	}
	return byLane
}

// searchLanes asks the lanes of the question for k candidates each, with one query. A lane
// that fails reports why in its status. It is an error only if no lane serves.
func (r *Recaller) searchLanes(ctx context.Context, q laneQuery, p memory.Predicate, k int) (l lanes, err error) {
	asked, found := q.Query, memory.SearchResult{}
	if !q.useText {
		asked.Terms = nil
	}
	if len(asked.Terms) > 0 || q.hasVector() {
		l.into = signalsPool.Get().(*[]memory.Signals)
		*l.into = slices.Grow(*l.into, 2*k)
		asked.Into = *l.into
		found, err = r.src.Search(ctx, asked, p, k, q.hasVector())
	}
	if q.useText {
		l.text = r.textLane(q, found, err, k)
	} else if found.VectorError == nil {
		found.VectorError = err
	}
	if q.useText && r.set.Fusion == FusionRanking {
		l.signals = found.Signals
	}
	if q.useVectors {
		l.vector = q.vectorLane(found)
	}
	if ctx.Err() != nil {
		return l, ctx.Err()
	}
	if err = cmp.Or(err, serious(found.VectorError)); err != nil && !l.text.ok() && !l.vector.ok() {
		return l, fmt.Errorf("search: %w", err)
	}
	return l, nil
}

// serious returns an error unless it tells that there are no vectors at the moment.
func serious(err error) error {
	if errors.Is(err, memory.ErrUnavailable) {
		return nil
	}
	return err
}

// textLane makes the keyword lane of the memories that match a term. With the fusion
// "ranking" they may match it in their context alone.
func (r *Recaller) textLane(q laneQuery, found memory.SearchResult, err error, k int) lane {
	switch {
	case err != nil:
		return lane{status: err.Error()}
	case len(q.Terms) == 0 && len(q.intent.WholeTimes) == 0:
		return lane{status: laneNoTerms}
	case r.set.Fusion != FusionRanking:
		return newLane(found.ByWords(k))
	}
	l := lane{status: laneOK, found: make([]*memory.Candidate, 0, len(found.Signals))}
	for i := range found.Signals {
		if found.Signals[i].Context > 0 {
			l.found = append(l.found, &found.Signals[i].Candidate)
		}
	}
	return l
}

// hasVector reports whether the vector lane is asked and the question has a vector.
func (q laneQuery) hasVector() bool { return q.useVectors && q.Vector != nil }

// vectorLane makes the vector lane of its results.
func (q laneQuery) vectorLane(found memory.SearchResult) lane {
	switch {
	case !q.hasVector():
		return lane{status: q.noVectorReason}
	case found.VectorError != nil:
		return lane{status: found.VectorError.Error()}
	}
	return newLane(found.Nearest)
}

// newLane makes a lane of its results, best first. Equal scores keep their order.
func newLane(results []memory.Candidate) lane {
	found := make([]*memory.Candidate, len(results))
	for i := range results {
		found[i] = &results[i]
		found[i].Score = clampUnit(found[i].Score)
	}
	slices.SortStableFunc(found, func(a, b *memory.Candidate) int { return cmp.Compare(b.Score, a.Score) })
	return lane{found: found, status: laneOK}
}
