package recall

import (
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/dates"
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

	// eventCandidates is the number of candidates that each lane returns for an event.
	eventCandidates = 20
)

// resolveEvent searches for the event that gives the question its time and stores
// the time in the question's intent. The result explains how; it is nil if the
// question names no event. Memories that the predicate hides do not date an event,
// nor do forgotten ones, even if the question asks for them as answers.
func (r *Recaller) resolveEvent(ctx context.Context, now time.Time, q *laneQuery, p memory.Predicate) *memory.Event {
	if q.event == nil {
		return nil
	}
	p.IDs, p.Forgotten, p.Missing = nil, memory.Exclude, memory.Exclude
	e := &memory.Event{Phrase: q.intent.Event.Phrase, Relation: q.intent.Event.Relation.String()}
	found, l, err := r.rank(ctx, now, *q.event, p, eventCandidates)
	defer l.release()
	if err != nil || len(found) == 0 { // the question itself will report the error
		return e
	}
	slices.SortFunc(found, byFused) // recency and use do not make a memory a better witness of a date
	e.Similarity = found[0].similarity
	dated, best := dateEvent(found, r.set.zone())
	if s := q.intent.Event.Resolve(dated); s.IsSet() {
		q.intent.EventSpan = s
		day, _ := dates.DayOf(best.Memory, r.set.zone())
		e.Similarity = best.similarity
		e.Memory, e.At, e.From, e.Until = best.ID, &day.From, nilIfZero(s.From), nilIfZero(s.To)
	}
	return e
}

// dateEvent returns the whole days between the first and the last dated memory about
// an event, and the best of these memories. It returns none if the first candidate
// is not clearly about the event, or if no such memory is dated.
func dateEvent(found []*candidate, zone *time.Location) (dated dates.Span, best *candidate) {
	for _, c := range found {
		day, ok := dates.DayOf(c.Memory, zone)
		if !ok || min(c.similarity, found[0].similarity) < minEventSimilarity || c.fused < found[0].fused-maxEventGap {
			continue
		}
		if best == nil {
			dated, best = day, c
		}
		if day.From.Before(dated.From) {
			dated.From = day.From
		}
		if day.To.After(dated.To) {
			dated.To = day.To
		}
	}
	return dated, best
}

func nilIfZero(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
