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
	found  []memory.Candidate
	status string // empty if the lane was not asked
}

func (l lane) ok() bool { return l.status == laneOK }

// lanes holds the results of both lanes.
type lanes struct {
	text, vector lane
	signals      []memory.Signals // of the memories that either lane found, if the fusion needs them
	aboutSubject []memory.Signals // of notes about the subject that neither lane found
	writtenThen  []memory.ID      // at the time that the question asks for as a whole
	candidates   *[]candidate     // the memory of those that the lanes found, until release; nil: none yet
	memories     *[]memory.Memory // likewise of what they point to
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

// searchLanes asks the lanes of the question for k candidates each. A lane that fails
// reports why in its status. It is an error only if no lane serves.
func (r *Recaller) searchLanes(ctx context.Context, q laneQuery, p memory.Predicate, k int) (l lanes, err error) {
	if q.useText && r.set.Fusion == FusionRanking && (len(q.Terms) > 0 || q.hasVector()) {
		l, err = r.searchTogether(ctx, q, p, k)
	} else {
		l, err = r.searchSeparately(ctx, q, p, k)
	}
	if ctx.Err() != nil {
		return l, ctx.Err()
	}
	if err != nil && !l.text.ok() && !l.vector.ok() {
		return l, fmt.Errorf("search: %w", err)
	}
	return l, nil
}

// searchSeparately asks each lane with a query of its own.
func (r *Recaller) searchSeparately(ctx context.Context, q laneQuery, p memory.Predicate, k int) (l lanes, err error) {
	if q.useText {
		l.text, err = r.searchText(ctx, q, p, k)
	}
	if q.useVectors {
		var vectorErr error
		l.vector, vectorErr = r.searchVectors(ctx, q, p, k)
		err = errors.Join(err, vectorErr)
	}
	return l, err
}

func (r *Recaller) searchText(ctx context.Context, q laneQuery, p memory.Predicate, k int) (lane, error) {
	if len(q.Terms) == 0 {
		return q.textLane(nil, nil), nil
	}
	found, err := r.src.SearchText(ctx, q.Query, p, k)
	return newLane(found, err), err
}

// searchTogether asks both lanes with one query, which also returns the signals of
// all memories that it finds.
func (r *Recaller) searchTogether(ctx context.Context, q laneQuery, p memory.Predicate, k int) (l lanes, err error) {
	found, err := r.src.Search(ctx, q.Query, p, k, q.hasVector())
	l.signals, l.text = found.Signals, q.textLane(found.Signals, err)
	if q.useVectors {
		var vectorErr error
		l.vector, vectorErr = q.vectorLane(found.Nearest, found.VectorError)
		err = errors.Join(err, vectorErr)
	}
	return l, err
}

// textLane makes the keyword lane of the memories that match a term, themselves or
// in their context.
func (q laneQuery) textLane(found []memory.Signals, err error) lane {
	switch {
	case err != nil:
		return lane{status: err.Error()}
	case len(q.Terms) == 0 && len(q.intent.WholeTimes) == 0:
		return lane{status: laneNoTerms}
	}
	l := lane{status: laneOK, found: make([]memory.Candidate, 0, len(found))}
	for _, s := range found {
		if s.Context > 0 {
			l.found = append(l.found, s.Candidate)
		}
	}
	return l
}

// hasVector reports whether the vector lane is asked and the question has a vector.
func (q laneQuery) hasVector() bool { return q.useVectors && q.Vector != nil }

func (r *Recaller) searchVectors(ctx context.Context, q laneQuery, p memory.Predicate, k int) (lane, error) {
	if !q.hasVector() {
		return q.vectorLane(nil, nil)
	}
	return q.vectorLane(r.src.SearchVector(ctx, q.Query, p, k))
}

// vectorLane makes the vector lane of its results. It is no error if the lane cannot
// serve at the moment: the status reports it.
func (q laneQuery) vectorLane(found []memory.Candidate, err error) (lane, error) {
	if !q.hasVector() {
		return lane{status: q.noVectorReason}, nil
	}
	l := newLane(found, err)
	if errors.Is(err, memory.ErrUnavailable) {
		err = nil
	}
	return l, err
}

// newLane makes a lane of its results, best first. Equal scores keep their order.
func newLane(found []memory.Candidate, err error) lane {
	if err != nil {
		return lane{status: err.Error()}
	}
	found = slices.Clone(found) // the slice belongs to the source
	for i := range found {
		found[i].Score = clampUnit(found[i].Score)
	}
	slices.SortStableFunc(found, func(a, b memory.Candidate) int { return cmp.Compare(b.Score, a.Score) })
	return lane{found: found, status: laneOK}
}
