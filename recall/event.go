package recall

import (
	"context"
	"path"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
)

// How an event is told from words that happen to be alike. Measured with 36
// events of three conversations and 24 phrases of things that never happened
// there: docs/decisions/0001-ranking.md.
const (
	// minEventSimilarity is the similarity from which a memory tells of an event. 34 of the 36
	// reach it; of the others few but those that did happen, over and over.
	minEventSimilarity = 0.6

	// maxEventGap is by how much of the sum another memory may tell of an event less
	// well than the best does and still be believed: before the event is then
	// before the last of them, and after it after the first. What is told of all
	// the time so prefers nothing.
	maxEventGap = 2

	// maxEventDays is over how many days an event may be told of for what happened
	// during or around it: "during her studies" is no week.
	maxEventDays = 14

	// eventCandidates are how many candidates of a lane are looked through.
	eventCandidates = 20
)

// resolveEvent finds out when that was by which the question says when, and how that
// was understood; nil where the question says nothing of the kind. What the
// predicate hides says nothing of when, nor does a forgotten memory, even where
// those are wanted as answers.
func (r *Recaller) resolveEvent(ctx context.Context, now time.Time, q *question, p memory.Predicate) *memory.Event {
	if q.event == nil {
		return nil
	}
	p.IDs, p.Forgotten, p.Missing = nil, memory.Exclude, memory.Exclude
	e := &memory.Event{Phrase: q.intent.event.phrase, Relation: q.intent.event.relation.String()}
	found, _, err := r.rank(ctx, now, *q.event, p, eventCandidates)
	if err != nil || len(found) == 0 { // what is wrong the question itself will meet
		return e
	}
	slices.SortFunc(found, byFused) // what was used lately tells no better when something was
	e.Similarity = found[0].similarity
	told, by := dateEvent(found, r.set.zone())
	if meant := q.intent.event.resolve(told); meant.isSet() {
		q.intent.eventSpan = meant
		day, _ := dated(by.Memory, r.set.zone())
		e.Similarity = by.similarity
		e.Memory, e.At, e.From, e.Until = by.ID, &day.from, nilIfZero(meant.from), nilIfZero(meant.to)
	}
	return e
}

// dateEvent is the time, in whole days, over which memories tell of what they were
// asked for, and the one that tells best; none where the best of all does not
// clearly do, or none of them is dated.
func dateEvent(found []*candidate, zone *time.Location) (told span, by *candidate) {
	for _, c := range found {
		day, dated := dated(c.Memory, zone)
		if !dated || min(c.similarity, found[0].similarity) < minEventSimilarity || c.fused < found[0].fused-maxEventGap {
			continue
		}
		if by == nil {
			told, by = day, c
		}
		if day.from.Before(told.from) {
			told.from = day.from
		}
		if day.to.After(told.to) {
			told.to = day.to
		}
	}
	return told, by
}

// dated is the day that a memory tells of: one that its text names, else the
// one that its file's name or its front matter dates it by. A time of day says
// that only a file's own time is known, and that is about the file.
func dated(m *memory.Memory, zone *time.Location) (day span, dated bool) {
	created := m.CreatedAt.In(zone)
	written := startOfDay(created)
	all := tokenise(m.Text)
	for i := range all {
		if d, n := parseDate(all[i:]); n > 0 && d.day > 0 {
			return d.inferYearNear(written).span(zone), true
		}
	}
	return daySpan(written, 0, 1), written.Equal(created) || dateInName.MatchString(path.Base(m.Path))
}

// resolve is the span that is meant where an event is told of over some days. What
// else was told on them was as often after as before it.
func (r timeReference) resolve(told span) span {
	if !told.isSet() {
		return span{}
	}
	const week = 7
	switch r.relation {
	case relBefore:
		told.from = told.to.AddDate(0, 0, -1)
	case relAfter:
		r.relation = relSince
	case relDuring, relAround:
		if told.to.After(told.from.AddDate(0, 0, maxEventDays)) {
			return span{}
		}
		beside := week / 2
		if r.relation == relAround {
			beside = week
		}
		told = span{told.from.AddDate(0, 0, -beside), told.to.AddDate(0, 0, beside)}
	}
	return r.spanFrom(told)
}

func nilIfZero(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
