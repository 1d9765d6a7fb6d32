package recall

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/dates"
	"github.com/memory-tiered/memory/recall/question"
	"github.com/memory-tiered/memory/recall/ranking"
)

// writtenThenSimilarity is the similarity of what was written at the time that a
// question asks for as a whole. It is certain, so it is that of a good answer.
const writtenThenSimilarity = 0.6

// outsideSimilarity is the highest similarity of what is not of the time that a question
// asks for as a whole. It is below the floor, also below that of pinned memories.
const outsideSimilarity = 0.05

// maxDecidedDays is the longest time that decides alone. A question about a year may
// have a word that tells more ("the plan for 2026").
const maxDecidedDays = 31

// searchTimes returns the memories of the times that the question asks for as a whole.
// They were written then, or their text names a day within that time. It returns at most
// k, for each time the newest day first.
func (r *Recaller) searchTimes(ctx context.Context, q laneQuery, p memory.Predicate, k int) (ids []memory.ID, err error) {
	if r.set.Fusion != FusionRanking || !q.useText {
		return nil, nil
	}
	zone := r.set.zone()
	for _, span := range q.intent.WholeTimes {
		possible, err := r.listTimes(ctx, span, p, k)
		if err != nil {
			return nil, err
		}
		days := map[memory.ID]time.Time{}
		var held []memory.ID
		for i := range possible {
			id := possible[i].ID
			if _, seen := days[id]; seen || slices.Contains(ids, id) {
				continue
			}
			if day, ok := dates.Holds(span, &possible[i], zone); ok {
				days[id], held = day, append(held, id)
			}
		}
		slices.SortStableFunc(held, func(a, b memory.ID) int { return days[b].Compare(days[a]) })
		ids = append(ids, held[:min(len(held), k-len(ids))]...)
	}
	return ids, nil
}

// aboutToday is how long before and after a text the time may be that it names by its
// distance: "tomorrow", "last week".
const aboutToday = 8

// listTimes returns memories that may be of a time. They were written then, or shortly
// before or after. Or they have words with which people write its days.
func (r *Recaller) listTimes(ctx context.Context, span dates.Span, p memory.Predicate, k int) (list []memory.Memory, err error) {
	for _, days := range []int{0, aboutToday} {
		within, possible := inSpan(p, span.Extended(days))
		if !possible || days > 0 && !span.IsWithin(maxDecidedDays) {
			continue
		}
		written, _, err := r.src.List(ctx, within, "created_at", k, 0)
		if err != nil {
			return nil, fmt.Errorf("list what was written then: %w", err)
		}
		list = append(list, written...)
	}
	words := dates.Spellings(span)
	if len(words) == 0 {
		return list, nil
	}
	found, err := r.src.Search(ctx, question.WordQuery(words), p, 2*k, false)
	if err != nil {
		return nil, fmt.Errorf("search for a day: %w", err)
	}
	var ids []memory.ID
	for _, c := range found.ByWords(k) {
		ids = append(ids, c.ID)
	}
	named, err := r.src.AppendVisible(ctx, nil, ids, p)
	if err != nil {
		return nil, fmt.Errorf("read what names a day: %w", err)
	}
	return append(list, named...), nil
}

// inSpan restricts a predicate to what was written in a span.
func inSpan(p memory.Predicate, s dates.Span) (within memory.Predicate, possible bool) {
	if s.From.After(p.Since) {
		p.Since = s.From
	}
	if !s.To.IsZero() && (p.Until.IsZero() || s.To.Before(p.Until)) {
		p.Until = s.To
	}
	return p, p.Until.IsZero() || p.Since.Before(p.Until)
}

// admitWritten puts the memories of the time that is asked for as a whole before all
// others, in their order. The others do not answer, unless the time is long or open and
// they share a word with the question.
func admitWritten(found []*candidate, whole []dates.Span) {
	highest := 0.0
	for _, c := range found {
		highest = max(highest, c.fused)
	}
	decides := !slices.ContainsFunc(whole, func(s dates.Span) bool { return !s.IsWithin(maxDecidedDays) })
	for _, c := range found {
		switch {
		case c.writtenThen > 0:
			c.similarity = max(c.similarity, writtenThenSimilarity)
			c.fused = highest + float64(len(found)+1-c.writtenThen)
		case len(whole) > 0 && (decides || c.TextScore == 0):
			c.similarity = min(c.similarity, outsideSimilarity)
		}
	}
}

// ofNamedTime drops the notes of other times than the question names, if one of that time
// answers as well. It keeps notes without a date, those that answer another part of the
// question, and pinned ones.
func ofNamedTime(found []*candidate, q laneQuery, s Settings) sieve {
	if !q.intent.IsSet() || slices.ContainsFunc(q.intent.Spans, func(s dates.Span) bool { return !s.IsWithin(maxDecidedDays) }) {
		return nil
	}
	best := 0.0 // what answers by its meaning alone is no better than any
	for _, c := range found {
		if isNote := c.Signals.Speaker == ""; isNote && c.values.IsOfTime() {
			best = max(best, c.similarity, ranking.MeaningSimilarity)
		}
	}
	return func(c *candidate) (string, float64) {
		_, dated := dates.WrittenOn(c.Memory, s.zone())
		isOther := dated && c.Signals.Speaker == "" && !c.values.IsOfTime() && !c.NamesTopic && c.Identifiers == 0 && !c.Pinned
		if isOther && c.similarity <= best {
			return RejectedOtherTime, 0
		}
		return "", 0
	}
}
