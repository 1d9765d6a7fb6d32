package ageing

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/recall"
)

// Future is a time that is later than now, at which a request is asked. Memories have
// the tiers that they have then if nothing uses them.
type Future struct {
	db      *index.DB
	zone    *time.Location
	limits  decay.Thresholds
	now, at time.Time
}

// FutureAt returns the future of an index at a time, or nil if that is not after now.
func FutureAt(db *index.DB, zone *time.Location, limits decay.Thresholds, now, at time.Time) *Future {
	if at.After(now) {
		return &Future{db, zone, limits, now, at}
	}
	return nil
}

// List lists a page of memories with the tiers of that time. It counts all of them by
// tier.
func (f *Future) List(ctx context.Context, p memory.Predicate, sort string, limit, offset int) (page []memory.Memory, tiers map[memory.Tier]int, err error) {
	moved, err := MovesAt(ctx, f.db, f.limits, f.now, f.at)
	if err != nil {
		return nil, nil, err
	}
	all, _, err := f.db.List(ctx, anyTier(p), sort, 0, 0)
	all = moved.apply(all, p, p.AsOf.In(f.zone))
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
	future *Future
}

// Recaller returns a recaller that answers with the tiers of that time. nil is now.
func (f *Future) Recaller(r *recall.Recaller) *recall.Recaller {
	if f == nil {
		return r
	}
	return r.From(func(src recall.Source) recall.Source { return laterSource{src, f} })
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

func (l laterSource) AppendVisible(ctx context.Context, to []memory.Memory, ids []memory.ID, p memory.Predicate) ([]memory.Memory, error) {
	found, err := l.Source.AppendVisible(ctx, nil, ids, anyTier(p))
	if err != nil || len(found) == 0 {
		return to, err
	}
	// Before the first sweep nearly every memory moves, so that only these are read.
	moved, err := movesAtOf(ctx, l.future.db, ids, l.future.limits, l.future.now, l.future.at)
	return append(to, moved.apply(found, p, p.AsOf.In(l.future.zone))...), err
}

// translate turns a condition on the later tier into one on ids. some is false if no
// memory has that tier.
func (l laterSource) translate(ctx context.Context, p memory.Predicate) (_ memory.Predicate, some bool, err error) {
	if p.Tier == "" {
		return anyTier(p), true, nil
	}
	moved, err := MovesAt(ctx, l.future.db, l.future.limits, l.future.now, l.future.at)
	if err != nil {
		return p, false, err
	}
	stay, _, err := l.future.db.List(ctx, memory.Predicate{Tier: p.Tier, Forgotten: memory.Include}, "", 0, 0)
	for _, m := range stay {
		if _, moves := moved[m.ID]; !moves {
			p.IDs = append(p.IDs, m.ID)
		}
	}
	for _, id := range moved.IDs() {
		if moved[id].To == p.Tier {
			p.IDs = append(p.IDs, id)
		}
	}
	return anyTier(p), len(p.IDs) > 0, err
}
