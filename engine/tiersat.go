package engine

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/recall"
)

// movedTiers contains the memories that have another tier at a later time, if
// nothing uses them. The others keep theirs.
type movedTiers map[memory.ID]decay.Move

// tiersAt computes the moves of the sweeps from now to a time.
func (s *workspaceState) tiersAt(ctx context.Context, limits decay.Thresholds, now, at time.Time) (movedTiers, error) {
	found, err := s.db.Movable(ctx, limits, at)
	return movesOf(found, limits, now, at), err
}

// tiersAtOf is tiersAt for some memories.
func (s *workspaceState) tiersAtOf(ctx context.Context, ids []memory.ID, limits decay.Thresholds, now, at time.Time) (movedTiers, error) {
	found, err := s.db.MovableAmong(ctx, ids, limits, at)
	return movesOf(found, limits, now, at), err
}

// movesOf computes the moves of some memories from now to a time.
func movesOf(found []decay.History, limits decay.Thresholds, now, at time.Time) movedTiers {
	moved := movedTiers{}
	for _, h := range found {
		if tier, last := decay.At(h, limits, now, at); tier != h.Tier {
			moved[h.ID] = last
		}
	}
	return moved
}

func (moved movedTiers) ids() []memory.ID { return slices.Sorted(maps.Keys(moved)) }

// sorted returns the moves in the order of the ids.
func (moved movedTiers) sorted() (moves []decay.Move) {
	for _, id := range moved.ids() {
		moves = append(moves, moved[id])
	}
	return moves
}

// apply gives memories their later tiers, and drops those that a predicate's tier
// excludes then.
func (moved movedTiers) apply(memories []memory.Memory, p memory.Predicate, at time.Time) (kept []memory.Memory) {
	for _, m := range memories {
		if move, ok := moved[m.ID]; ok {
			m.Tier, m.TierReason = move.To, decay.Explain(move.TierMove, at)
		}
		if p.Tier == m.Tier || p.Tier == "" && (p.Archive || m.Tier != memory.TierArchive) {
			kept = append(kept, m)
		}
	}
	return kept
}

// anyTier returns a predicate without its conditions on the tier.
func anyTier(p memory.Predicate) memory.Predicate {
	p.Tier, p.Archive = "", true
	return p
}

// future is a time that is later than now, at which a request is asked. Memories have
// the tiers that they have then if nothing uses them.
type future struct {
	limits  decay.Thresholds
	now, at time.Time
}

// futureAt returns the time of a request, or nil if it is not in the future. The zero
// time is now.
func (e *Engine) futureAt(at time.Time) *future {
	if now := e.now(); at.After(now) {
		return &future{e.options().Tiers, now, at}
	}
	return nil
}

// listAt is db.List and db.Tiers with the tiers of a later time.
func (s *workspaceState) listAt(ctx context.Context, f *future, p memory.Predicate, sort string, limit, offset int) (page []memory.Memory, tiers map[memory.Tier]int, err error) {
	moved, err := s.tiersAt(ctx, f.limits, f.now, f.at)
	if err != nil {
		return nil, nil, err
	}
	all, _, err := s.db.List(ctx, anyTier(p), sort, 0, 0)
	all = moved.apply(all, p, p.AsOf.In(s.zone()))
	tiers = map[memory.Tier]int{}
	for _, t := range memory.Tiers {
		tiers[t] = 0
	}
	for _, m := range all {
		tiers[m.Tier]++
	}
	return all[min(offset, len(all)):min(offset+limit, len(all))], tiers, err
}

// laterSource is an index in which memories have the tiers of a later time.
type laterSource struct {
	recall.Source
	*workspaceState
	future *future
}

// recaller returns a recaller that answers with the tiers of that time. nil is now.
func (f *future) recaller(s *workspaceState, r *recall.Recaller) *recall.Recaller {
	if f == nil {
		return r
	}
	return r.From(func(src recall.Source) recall.Source { return laterSource{src, s, f} })
}

func (l laterSource) Search(ctx context.Context, q memory.Query, p memory.Predicate, k int, nearest bool) (found memory.SearchResult, err error) {
	p, some, err := l.translate(ctx, p)
	if err != nil || !some {
		return found, err
	}
	return l.Source.Search(ctx, q, p, k, nearest)
}

func (l laterSource) SearchText(ctx context.Context, q memory.Query, p memory.Predicate, k int) ([]memory.Candidate, error) {
	p, some, err := l.translate(ctx, p)
	if err != nil || !some {
		return nil, err
	}
	return l.Source.SearchText(ctx, q, p, k)
}

func (l laterSource) SearchVector(ctx context.Context, q memory.Query, p memory.Predicate, k int) ([]memory.Candidate, error) {
	p, some, err := l.translate(ctx, p)
	if err != nil || !some {
		return nil, err
	}
	return l.Source.SearchVector(ctx, q, p, k)
}

func (l laterSource) Visible(ctx context.Context, ids []memory.ID, p memory.Predicate) ([]memory.Memory, error) {
	found, err := l.Source.Visible(ctx, ids, anyTier(p))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	// Before the first sweep nearly every memory moves, so that only these are read.
	moved, err := l.tiersAtOf(ctx, ids, l.future.limits, l.future.now, l.future.at)
	return moved.apply(found, p, p.AsOf.In(l.zone())), err
}

// translate turns a condition on the later tier into one on ids. some is false if no
// memory has that tier.
func (l laterSource) translate(ctx context.Context, p memory.Predicate) (_ memory.Predicate, some bool, err error) {
	if p.Tier == "" {
		return anyTier(p), true, nil
	}
	moved, err := l.tiersAt(ctx, l.future.limits, l.future.now, l.future.at)
	if err != nil {
		return p, false, err
	}
	stay, _, err := l.db.List(ctx, memory.Predicate{Tier: p.Tier, Forgotten: memory.Include}, "", 0, 0)
	for _, m := range stay {
		if _, moves := moved[m.ID]; !moves {
			p.IDs = append(p.IDs, m.ID)
		}
	}
	for _, id := range moved.ids() {
		if moved[id].To == p.Tier {
			p.IDs = append(p.IDs, id)
		}
	}
	return anyTier(p), len(p.IDs) > 0, err
}
