package engine

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/engine/ageing"
	"github.com/memory-tiered/memory/engine/audience"
	"github.com/memory-tiered/memory/engine/dailynote"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/relations"
	"github.com/memory-tiered/memory/engine/store"
	"github.com/memory-tiered/memory/internal/similar"
)

// nearDuplicates is the default compactor. Of several memories that say the same it keeps
// the first.
type nearDuplicates struct{}

// Compact implements decay.MemoryCompactor.
func (nearDuplicates) Compact(_ context.Context, memories []memory.Memory) (list []decay.Compaction, err error) {
	position := map[memory.ID]int{} // in list, by the memory that stays
	for _, pair := range similar.NearDuplicates(memory.TextsOf(memories)) {
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

// compact archives the COLD memories that the compactor finds superfluous. All are one
// command, which undo reverses.
func (e *Engine) compact(ctx context.Context, s *workspaceState, now time.Time, preview bool) (memory.DecayAnswer, error) {
	found, err := s.findCompactions(ctx, now)
	if err != nil {
		return memory.DecayAnswer{}, err
	}
	a := memory.DecayAnswer{Preview: preview}
	var ids []string
	var stored []memory.Memory
	for _, c := range found {
		kept := c.Keep
		if kept == "" && !preview {
			m, isNew, err := s.storeSummary(ctx, now, e.authorNamed(c.memories[0].User, c.memories[0].Scope), c)
			if err != nil {
				return memory.DecayAnswer{}, err
			}
			if kept = m.ID; isNew {
				stored = append(stored, m)
			}
		}
		for _, id := range c.Replaced {
			ids = append(ids, string(id))
			ageing.AddMove(&a, memory.TierMove{ID: id, From: memory.TierCold, To: memory.TierArchive, Reason: compactReason(c, kept), By: kept})
		}
	}
	if len(ids) == 0 {
		return a, nil
	}
	decided, err := e.Decide(ctx, memory.DecideRequest{Action: memory.ActionArchive, Workspace: s.Name, IDs: ids, Preview: preview})
	a.Batch = decided.Batch
	for _, m := range stored {
		if err == nil {
			err = s.store.Audit(ctx, now, m, false, memory.AuditStore, plan.Command{Source: "cli", Batch: decided.Batch})
		}
	}
	return a, err
}

func compactReason(c compaction, kept memory.ID) string {
	switch {
	case c.Keep != "":
		return kept.Short() + " says the same"
	case kept == "":
		return "a new memory would take its place"
	}
	return kept.Short() + " takes its place"
}

// compaction is a compaction that was checked, with the memories that it replaces.
type compaction struct {
	decay.Compaction
	memories []memory.Memory
}

// readers are those who may read a memory.
type readers struct {
	user  string
	scope memory.Scope
}

func (r readers) compare(other readers) int {
	return cmp.Or(cmp.Compare(r.user, other.user), cmp.Compare(r.scope, other.scope))
}

// findCompactions asks the compactor about the memories of each user and scope, because
// others do not see what takes their place.
func (s *workspaceState) findCompactions(ctx context.Context, now time.Time) (found []compaction, err error) {
	list, _, err := s.db.List(ctx, memory.Predicate{}, "created_at", 0, 0)
	if err != nil {
		return nil, err
	}
	groups := map[readers][]memory.Memory{}
	for _, m := range list {
		if !m.Private && m.SupersededBy == nil && m.Trust != memory.TrustQuarantined && (m.ExpiresAt == nil || m.ExpiresAt.After(now)) {
			group := readers{m.User, m.Scope}
			groups[group] = append(groups[group], m)
		}
	}
	for _, group := range slices.SortedFunc(maps.Keys(groups), readers.compare) {
		memories := groups[group]
		slices.SortStableFunc(memories, compareForCompaction)
		compactions, err := s.extensions.Compactor.Compact(ctx, slices.Clone(memories))
		if err != nil {
			return nil, fmt.Errorf("find what can be archived: %w", err)
		}
		checked, err := checkCompactions(memories, compactions)
		if err != nil {
			return nil, err
		}
		found = append(found, checked...)
	}
	return found, nil
}

// compareForCompaction puts the memory first that should stay of two that say the same.
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

// checkCompactions refuses what a compactor may not do. It may only replace COLD
// memories, each once, by something that stays.
func checkCompactions(memories []memory.Memory, compactions []decay.Compaction) (checked []compaction, err error) {
	byID, replaced := map[memory.ID]memory.Memory{}, map[memory.ID]bool{}
	for _, m := range memories {
		byID[m.ID] = m
	}
	for _, c := range compactions {
		one := compaction{Compaction: c}
		for _, id := range c.Replaced {
			m, known := byID[id]
			if !known || m.Tier != memory.TierCold || m.Pinned || replaced[id] {
				return nil, fmt.Errorf("the compactor replaces %s, which it may not", id.Short())
			}
			replaced[id] = true
			one.memories = append(one.memories, m)
		}
		if (c.Keep == "") == (c.Text == "") {
			return nil, fmt.Errorf("the compactor names neither or both of a memory and a text")
		}
		checked = append(checked, one)
	}
	for _, c := range compactions {
		if _, known := byID[c.Keep]; c.Keep != "" && (!known || replaced[c.Keep]) {
			return nil, fmt.Errorf("the compactor keeps %s, which does not stay", c.Keep.Short())
		}
	}
	return checked, nil
}

// storeSummary stores a text in the place of memories, unless a memory has it already. It
// is COLD as they were. It has their user and scope, the date of the newest, and the
// trust of the least trusted of them.
func (s *workspaceState) storeSummary(ctx context.Context, now time.Time, by audience.Author, c compaction) (m memory.Memory, isNew bool, err error) {
	text, err := store.Validate(memory.StoreRequest{Text: c.Text})
	if err != nil {
		return m, false, err
	}
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return m, false, err
	}
	defer unlock()
	trust, created := memory.TrustTrusted, time.Time{}
	for _, m := range c.memories {
		if m.Trust == memory.TrustUntrusted {
			trust = m.Trust
		}
		if m.CreatedAt.After(created) {
			created = m.CreatedAt
		}
	}
	a := dailynote.NewAnnotation(memory.Declared{User: by.User, Trust: trust, Scope: by.Scope, Tier: memory.TierCold, Created: created}, memory.SourceTool, by)
	return s.store.StoreCaptured(ctx, now, by, text, a)
}
