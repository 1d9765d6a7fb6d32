package recall

import (
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/block"
)

// expiresSoon is how long before its end a memory is given to a new session.
const expiresSoon = 7 * 24 * time.Hour

// maxStanding bounds the memories that are read for the beginning of a session. A block has
// space for far fewer.
const maxStanding = 200

// Standing returns the block for the beginning of a session, before any prompt. It contains
// the current context, the pinned memories, those that expire within a week, and the profile.
func (r *Recaller) Standing(ctx context.Context, now time.Time, p Prompt) (memory.RecallAnswer, Trace, error) {
	maxItems, maxTokens, err := r.limits(p)
	if err != nil {
		return memory.RecallAnswer{}, Trace{}, err
	}
	current := activeContext(p.Context, now)
	p.Predicate.View = Pushed(p.Predicate.View, now)
	found, err := r.standing(ctx, now, p)
	if err != nil {
		return memory.RecallAnswer{}, Trace{}, err
	}
	room, prefixes := block.NewBudget(maxTokens, current), map[memory.ID]string{}
	if len(found) > 0 {
		if prefixes, err = r.src.IDPrefixes(ctx, idsOf(found), p.Predicate.View); err != nil {
			return memory.RecallAnswer{}, Trace{}, err
		}
	}
	answer := memory.RecallAnswer{Hits: []memory.Hit{}}
	var entries []*block.Entry
	for i := range found {
		e := &block.Entry{Memory: &found[i], IDPrefix: prefixes[found[i].ID], Zone: r.set.zone(), Unasked: true}
		if len(entries) < maxItems && room.Fits(e) {
			entries, answer.Hits = append(entries, e), append(answer.Hits, memory.Hit{Memory: found[i]})
		}
	}
	if len(entries) == 0 {
		return emptyAnswer(current, maxTokens, memory.SkippedNothing, nil), Trace{}, nil
	}
	answer.Context = block.Render(current, entries, maxTokens)
	answer.Tokens = block.TokenCount(answer.Context)
	return answer, Trace{}, nil
}

// standing lists the pinned memories, those that expire soon, and the profile, without those that
// the model has.
func (r *Recaller) standing(ctx context.Context, now time.Time, p Prompt) (found []memory.Memory, err error) {
	pinned, ending, profile := p.Predicate, p.Predicate, p.Predicate
	pinned.Pinned, ending.ExpiredBy = true, now.Add(expiresSoon)
	if r.set.Profile && p.Profile != nil {
		if profile.IDs, err = p.Profile(p.Predicate); err != nil {
			return nil, err
		}
	}
	for _, predicate := range []memory.Predicate{pinned, ending, profile}[:2+min(1, len(profile.IDs))] {
		listed, _, err := r.src.List(ctx, predicate, "created_at", maxStanding, 0)
		if err != nil {
			return nil, err
		}
		for _, m := range listed {
			known := slices.ContainsFunc(found, func(f memory.Memory) bool { return f.ID == m.ID })
			if !known && p.Predicate.View.Hides(&m, nil) == "" && (p.Has == nil || p.Has(&m, false) == "") {
				found = append(found, m)
			}
		}
	}
	return found, nil
}

func idsOf(memories []memory.Memory) (ids []memory.ID) {
	for _, m := range memories {
		ids = append(ids, m.ID)
	}
	return ids
}
