// Package compaction finds COLD memories that another text makes superfluous.
package compaction

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/engine/relations"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/alignment"
)

// readers are those who may read a memory.
type readers struct {
	user  string
	scope memory.Scope
}

func (r readers) compare(other readers) int {
	return cmp.Or(cmp.Compare(r.user, other.user), cmp.Compare(r.scope, other.scope))
}

// Find asks a compactor about the memories of each user and scope, because
// others do not see what takes their place.
func Find(ctx context.Context, db *index.DB, compactor decay.MemoryCompactor, now time.Time) (found []decay.Compaction, err error) {
	list, _, err := db.List(ctx, memory.Predicate{}, "created_at", 0, 0)
	if err != nil {
		return nil, err
	}
	models, groups := memory.View{Model: true, Now: now}, map[readers][]memory.Memory{}
	for _, m := range list {
		if models.Hides(&m, nil) == "" {
			group := readers{m.User, m.Scope}
			groups[group] = append(groups[group], m)
		}
	}
	for _, group := range slices.SortedFunc(maps.Keys(groups), readers.compare) {
		memories := groups[group]
		slices.SortStableFunc(memories, compareForCompaction)
		compactions, err := compactor.Compact(ctx, slices.Clone(memories))
		if err != nil {
			return nil, fmt.Errorf("find what can be archived: %w", err)
		}
		if err := check(memories, compactions); err != nil {
			return nil, err
		}
		found = append(found, compactions...)
	}
	return found, nil
}

// compareForCompaction orders two memories that say the same: the one that should stay comes
// first.
// That is the more trusted one, then one that is not COLD.
func compareForCompaction(a, b memory.Memory) int {
	trust := func(m memory.Memory) int { return slices.Index(memory.TrustTiers, m.Trust) }
	cold := func(m memory.Memory) int {
		if m.Tier == memory.TierCold && !m.Pinned {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(trust(a), trust(b)), cmp.Compare(cold(a), cold(b)), relations.ComparePreference(a, b))
}

// check refuses what a compactor may not do. It may only replace COLD
// memories, each once, by something that stays.
func check(memories []memory.Memory, compactions []decay.Compaction) error {
	byID, replaced := map[memory.ID]memory.Memory{}, map[memory.ID]bool{}
	for _, m := range memories {
		byID[m.ID] = m
	}
	for _, c := range compactions {
		for _, id := range c.Replaced {
			if m, known := byID[id]; !known || m.Tier != memory.TierCold || m.Pinned || replaced[id] {
				return fmt.Errorf("the compactor replaces %s, which it may not", id.Short())
			}
			replaced[id] = true
		}
	}
	for _, c := range compactions {
		if _, known := byID[c.Keep]; !known || replaced[c.Keep] {
			return fmt.Errorf("the compactor keeps %s, which does not stay", c.Keep.Short())
		}
	}
	return nil
}

// NearDuplicates is the default compactor. Of several memories that say the same it keeps
// the first.
type NearDuplicates struct{}

// Compact implements decay.MemoryCompactor.
func (NearDuplicates) Compact(_ context.Context, memories []memory.Memory) (list []decay.Compaction, err error) {
	position := map[memory.ID]int{} // in list, by the memory that stays
	for _, pair := range alignment.NearDuplicates(memory.TextsOf(memories)) {
		kept, repeated := memories[pair.First], memories[pair.Second]
		if repeated.Tier != memory.TierCold || repeated.Pinned {
			continue
		}
		i, known := position[kept.ID]
		if !known {
			i = len(list)
			position[kept.ID] = i
			list = append(list, decay.Compaction{Keep: kept.ID})
		}
		list[i].Replaced = append(list[i].Replaced, repeated.ID)
	}
	return list, nil
}
