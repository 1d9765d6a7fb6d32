package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/memory-tiered/memory"
)

// candidatesPerLane is how many visible candidates each lane is asked for: measured equal
// to scoring everything.
const candidatesPerLane = 100

// What a lane's status is: laneOK where it serves, else why it does not.
const (
	laneOK      = "ok"
	laneNoTerms = "no words to look for"
)

// lane is what one way of finding candidates found.
type lane struct {
	found  []memory.Candidate
	status string // laneOK, why it is out, or empty where it was not asked
}

func (l lane) ok() bool { return l.status == laneOK }

type lanes struct {
	text, vector lane
	signals      []memory.Signals // of what either found, where the ranking asks for them
}

// statuses is how an answer says what served.
func (l lanes) statuses() map[memory.Lane]string {
	said := map[memory.Lane]string{}
	for name, status := range map[memory.Lane]string{memory.LaneText: l.text.status, memory.LaneVector: l.vector.status} {
		if status != "" {
			said[name] = status
		}
	}
	return said
}

// searchLanes asks the lanes that the question chose for k candidates each. One that
// fails is out and says why; only when nothing serves is that an error.
func (r *Recaller) searchLanes(ctx context.Context, q question, p memory.Predicate, k int) (l lanes, err error) {
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

// searchSeparately asks each lane by itself.
func (r *Recaller) searchSeparately(ctx context.Context, q question, p memory.Predicate, k int) (l lanes, err error) {
	if q.useText {
		l.text, err = r.searchText(ctx, q.Query, p, k)
	}
	if q.useVectors {
		var failed error
		l.vector, failed = r.searchVectors(ctx, q, p, k)
		err = errors.Join(err, failed)
	}
	return l, err
}

func (r *Recaller) searchText(ctx context.Context, q memory.Query, p memory.Predicate, k int) (lane, error) {
	if len(q.Terms) == 0 {
		return lane{status: laneNoTerms}, nil
	}
	found, err := r.src.SearchText(ctx, q, p, k)
	return newLane(found, err), err
}

// searchTogether asks for words in their context and for vectors, and how all that
// they find stands to the question.
func (r *Recaller) searchTogether(ctx context.Context, q question, p memory.Predicate, k int) (l lanes, err error) {
	found, err := r.src.Search(ctx, q.Query, p, k, q.hasVector())
	l.signals, l.text = found.Signals, q.textLane(found.Signals, err)
	if q.useVectors {
		var failed error
		l.vector, failed = q.vectorLane(found.Nearest, found.VectorError)
		err = errors.Join(err, failed)
	}
	return l, err
}

// textLane makes the keyword lane of what was found.
func (q question) textLane(found []memory.Signals, err error) lane {
	switch {
	case err != nil:
		return lane{status: err.Error()}
	case len(q.Terms) == 0:
		return lane{status: laneNoTerms}
	}
	l := lane{status: laneOK}
	for _, s := range found {
		if s.Context > 0 {
			l.found = append(l.found, s.Candidate)
		}
	}
	return l
}

// hasVector says whether there is a vector to look near to.
func (q question) hasVector() bool { return q.useVectors && q.Vector != nil }

func (r *Recaller) searchVectors(ctx context.Context, q question, p memory.Predicate, k int) (lane, error) {
	if !q.hasVector() {
		return q.vectorLane(nil, nil)
	}
	return q.vectorLane(r.src.SearchVector(ctx, q.Query, p, k))
}

// vectorLane makes the vector lane of what was found. It is out without an error where
// it cannot serve yet or for now: that is a state, and the answer says it.
func (q question) vectorLane(found []memory.Candidate, err error) (lane, error) {
	if !q.hasVector() {
		return lane{status: q.noVectorReason}, nil
	}
	l := newLane(found, err)
	if errors.Is(err, memory.ErrUnavailable) {
		err = nil
	}
	return l, err
}

// newLane makes a lane of its answer: best first, equals as the lane had them.
func newLane(found []memory.Candidate, err error) lane {
	if err != nil {
		return lane{status: err.Error()}
	}
	found = slices.Clone(found) // the source's own
	for i := range found {
		found[i].Score = clampUnit(found[i].Score)
	}
	slices.SortStableFunc(found, func(a, b memory.Candidate) int { return cmp.Compare(b.Score, a.Score) })
	return lane{found: found, status: laneOK}
}
