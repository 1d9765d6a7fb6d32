package recall

import (
	"context"
	"fmt"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/dates"
)

// writtenThenSimilarity is the similarity of what was written at the time that a
// question asks for as a whole. It is certain, so it is that of a good answer.
const writtenThenSimilarity = 0.6

// searchTimes returns the memories that were written at the times that the question asks
// for as a whole, at most k, the newest day first.
func (r *Recaller) searchTimes(ctx context.Context, q laneQuery, p memory.Predicate, k int) (ids []memory.ID, err error) {
	if r.set.Fusion != FusionRanking || !q.useText {
		return nil, nil
	}
	for _, span := range q.intent.WholeTimes {
		within, possible := inSpan(p, span)
		if !possible {
			continue
		}
		written, _, err := r.src.List(ctx, within, "created_at", k, 0)
		if err != nil {
			return nil, fmt.Errorf("list what was written then: %w", err)
		}
		for i := range written {
			if m := &written[i]; dates.IsDated(m, r.set.zone()) && len(ids) < k && !slices.Contains(ids, m.ID) {
				ids = append(ids, m.ID)
			}
		}
	}
	return ids, nil
}

// maxListed bounds the memories that hasWritten reads.
const maxListed = 100

// hasWritten reports whether a memory was written within a span. If one was, the words that
// name the span have told what they can. A memory of that day does not contain them. If none
// was, they may mean another time, and be words of the memory that is wanted.
func (r *Recaller) hasWritten(ctx context.Context, spans []dates.Span, p memory.Predicate) bool {
	for _, span := range spans {
		within, possible := inSpan(p, span)
		if !possible {
			continue
		}
		written, _, err := r.src.List(ctx, within, "created_at", maxListed, 0)
		if err == nil && slices.ContainsFunc(written, func(m memory.Memory) bool { return dates.IsDated(&m, r.set.zone()) }) {
			return true
		}
	}
	return false
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

// admitWritten puts the memories that were written at the time that is asked for before
// all others, the newest day first.
func admitWritten(found []*candidate) {
	highest := 0.0
	for _, c := range found {
		highest = max(highest, c.fused)
	}
	for _, c := range found {
		if c.writtenThen > 0 {
			c.similarity = max(c.similarity, writtenThenSimilarity)
			c.fused = highest + float64(len(found)+1-c.writtenThen)
		}
	}
}
