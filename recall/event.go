package recall

import (
	"context"
	"path"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
)

// Thresholds that tell an event from words that are similar by chance. Measured
// with 36 events of three conversations and 24 phrases for events that never
// happened there: docs/decisions/0001-ranking.md.
const (
	// minEventSimilarity is the similarity from which a memory is about the event. 34
	// of the 36 events reach it; of the 24 phrases few do, and those name things that
	// did happen, repeatedly.
	minEventSimilarity = 0.6

	// maxEventGap is how far below the best memory's fused score another memory may be
	// and still date the event. "Before" then means before the last of them, and
	// "after" after the first. So an event that is mentioned all the time prefers no
	// memory.
	maxEventGap = 2

	// maxEventDays is the longest time over which an event may be mentioned if the
	// question asks for "during" or "around": "during her studies" is no week.
	maxEventDays = 14

	// eventCandidates is the number of candidates that each lane returns for an event.
	eventCandidates = 20
)

// resolveEvent searches for the event that gives the question its time and stores
// the time in the question's intent. The result explains how; it is nil if the
// question names no event. Memories that the predicate hides do not date an event,
// nor do forgotten ones, even if the question asks for them as answers.
func (r *Recaller) resolveEvent(ctx context.Context, now time.Time, q *question, p memory.Predicate) *memory.Event {
	if q.event == nil {
		return nil
	}
	p.IDs, p.Forgotten, p.Missing = nil, memory.Exclude, memory.Exclude
	e := &memory.Event{Phrase: q.intent.event.phrase, Relation: q.intent.event.relation.String()}
	found, _, err := r.rank(ctx, now, *q.event, p, eventCandidates)
	if err != nil || len(found) == 0 { // the question itself will report the error
		return e
	}
	slices.SortFunc(found, byFused) // recency and use do not make a memory a better witness of a date
	e.Similarity = found[0].similarity
	dated, best := dateEvent(found, r.set.zone())
	if s := q.intent.event.resolve(dated); s.isSet() {
		q.intent.eventSpan = s
		day, _ := eventDay(best.Memory, r.set.zone())
		e.Similarity = best.similarity
		e.Memory, e.At, e.From, e.Until = best.ID, &day.from, nilIfZero(s.from), nilIfZero(s.to)
	}
	return e
}

// dateEvent returns the whole days between the first and the last dated memory about
// an event, and the best of these memories. It returns none if the first candidate
// is not clearly about the event, or if no such memory is dated.
func dateEvent(found []*candidate, zone *time.Location) (dated span, best *candidate) {
	for _, c := range found {
		day, ok := eventDay(c.Memory, zone)
		if !ok || min(c.similarity, found[0].similarity) < minEventSimilarity || c.fused < found[0].fused-maxEventGap {
			continue
		}
		if best == nil {
			dated, best = day, c
		}
		if day.from.Before(dated.from) {
			dated.from = day.from
		}
		if day.to.After(dated.to) {
			dated.to = day.to
		}
	}
	return dated, best
}

// eventDay returns the day that a memory is about: one that its text names, else the
// day of its file's name or front matter. A creation time within a day comes from
// the file system; it dates the file, not the memory.
func eventDay(m *memory.Memory, zone *time.Location) (day span, ok bool) {
	created := m.CreatedAt.In(zone)
	written := startOfDay(created)
	tokens := tokenise(m.Text)
	for i := range tokens {
		if d, n := parseDate(tokens[i:]); n > 0 && d.day > 0 {
			return d.inferYearNear(written).span(zone), true
		}
	}
	return daySpan(written, 0, 1), written.Equal(created) || dateInName.MatchString(path.Base(m.Path))
}

// resolve returns the referenced time for an event dated within some days. Other
// memories of these days are as often after the event as before it. So "before"
// ends with the start of the last day, and "after" begins with the first one.
func (r timeReference) resolve(dated span) span {
	if !dated.isSet() {
		return span{}
	}
	const week = 7
	switch r.relation {
	case relBefore:
		dated.from = dated.to.AddDate(0, 0, -1)
	case relAfter:
		r.relation = relSince
	case relDuring, relAround:
		if dated.to.After(dated.from.AddDate(0, 0, maxEventDays)) {
			return span{}
		}
		margin := week / 2
		if r.relation == relAround {
			margin = week
		}
		dated = span{dated.from.AddDate(0, 0, -margin), dated.to.AddDate(0, 0, margin)}
	}
	return r.spanFrom(dated)
}

func nilIfZero(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
