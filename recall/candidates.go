package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/memory-tiered/memory"
)

// perLane is how many visible candidates each lane is asked for: measured equal
// to scoring everything.
const perLane = 100

// laneOK is the status of a lane that serves. Any other says why it does not.
const laneOK = "ok"

// lane is what one way of finding candidates found.
type lane struct {
	found  []memory.Candidate
	status string // laneOK, why it is out, or empty where it was not asked
}

func (l lane) serves() bool { return l.status == laneOK }

type lanes struct{ text, vector lane }

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

// search asks the lanes that the question chose for k candidates each. One that
// fails is out and says why; only when nothing serves is that an error.
func (r *Recaller) search(ctx context.Context, q question, p memory.Predicate, k int) (l lanes, err error) {
	if q.text {
		l.text, err = r.textLane(ctx, q.Query, p, k)
	}
	if q.vector {
		var failed error
		l.vector, failed = r.vectorLane(ctx, q, p, k)
		err = errors.Join(err, failed)
	}
	if ctx.Err() != nil {
		return l, ctx.Err()
	}
	if err != nil && !l.text.serves() && !l.vector.serves() {
		return l, fmt.Errorf("search: %w", err)
	}
	return l, nil
}

func (r *Recaller) textLane(ctx context.Context, q memory.Query, p memory.Predicate, k int) (lane, error) {
	if len(q.Terms) == 0 {
		return lane{status: "no words to look for"}, nil
	}
	found, err := r.src.Text(ctx, q, p, k)
	return asked(found, err), err
}

// vectorLane is out without an error where it cannot serve yet or for now: that
// is a state, and the answer says it.
func (r *Recaller) vectorLane(ctx context.Context, q question, p memory.Predicate, k int) (lane, error) {
	if q.Vec == nil {
		return lane{status: q.noVector}, nil
	}
	found, err := r.src.Vector(ctx, q.Query, p, k)
	l := asked(found, err)
	if errors.Is(err, memory.ErrUnavailable) {
		err = nil
	}
	return l, err
}

// asked makes a lane of its answer: best first, equals as the lane had them.
func asked(found []memory.Candidate, err error) lane {
	if err != nil {
		return lane{status: err.Error()}
	}
	found = slices.Clone(found)
	for i := range found {
		found[i].Score = unit(found[i].Score)
	}
	slices.SortStableFunc(found, func(a, b memory.Candidate) int { return cmp.Compare(b.Score, a.Score) })
	return lane{found: found, status: laneOK}
}

// candidates reads the text of what the lanes found through the view of what is
// visible, and drops what is not.
func (r *Recaller) candidates(ctx context.Context, l lanes, p memory.Predicate) ([]candidate, error) {
	byID := map[memory.ID]*candidate{}
	var ids []memory.ID
	at := func(id memory.ID) *candidate {
		if byID[id] == nil {
			byID[id] = &candidate{}
			ids = append(ids, id)
		}
		return byID[id]
	}
	for i, c := range l.text.found {
		of := at(c.ID)
		of.text, of.textRank = c.Score, i+1
	}
	for i, c := range l.vector.found {
		of := at(c.ID)
		of.vector, of.vectorRank = c.Score, i+1
	}
	if len(ids) == 0 {
		return nil, nil
	}
	visible, err := r.src.Visible(ctx, ids, p)
	if err != nil {
		return nil, fmt.Errorf("read candidates: %w", err)
	}
	found := make([]candidate, 0, len(visible))
	for _, m := range visible {
		if c := byID[m.ID]; c != nil {
			c.Memory = m
			found = append(found, *c)
		}
	}
	return found, nil
}
