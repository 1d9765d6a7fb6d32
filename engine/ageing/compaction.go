package ageing

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/engine/store"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/alignment"
)

// Reason returns why a memory is archived, which kept takes the place of.
func (c Compaction) Reason(kept memory.ID) string {
	switch {
	case c.Keep != "":
		return kept.Short() + " " + cmp.Or(c.Compaction.Reason, "says the same")
	case kept == "":
		return "a new memory would take its place"
	}
	return kept.Short() + " takes its place"
}

// Compaction is a compaction that was checked, with the memories that it replaces.
type Compaction struct {
	decay.Compaction
	Memories []memory.Memory
}

// readers are those who may read a memory.
type readers struct {
	user  string
	scope memory.Scope
}

func (r readers) compare(other readers) int {
	return cmp.Or(cmp.Compare(r.user, other.user), cmp.Compare(r.scope, other.scope))
}

// FindCompactions asks a compactor about the memories of each user and scope, because
// others do not see what takes their place. ColdScenes gets archived ones too.
func FindCompactions(ctx context.Context, db *index.DB, compactor decay.MemoryCompactor, now time.Time) (found []Compaction, err error) {
	_, hasArchive := compactor.(ColdScenes)
	list, _, err := db.List(ctx, memory.Predicate{Archive: hasArchive}, "created_at", 0, 0)
	if err != nil {
		return nil, err
	}
	models, groups := memory.View{Model: true, Now: now}, map[readers][]memory.Memory{}
	for _, m := range list {
		if hidden := models.Hides(&m, nil); hidden == "" || hidden == memory.ReasonArchived {
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
		checked, err := checkCompactions(memories, compactions)
		if err != nil {
			return nil, err
		}
		found = append(found, checked...)
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
	return cmp.Or(cmp.Compare(trust(a), trust(b)), cmp.Compare(cold(a), cold(b)), store.ComparePreference(a, b))
}

// maxSources is how many sources the reference of a text can name.
const maxSources = 32

// checkCompactions refuses what a compactor may not do. It may only replace COLD
// memories, each once, by something that stays.
func checkCompactions(memories []memory.Memory, compactions []decay.Compaction) (checked []Compaction, err error) {
	byID, replaced := map[memory.ID]memory.Memory{}, map[memory.ID]bool{}
	for _, m := range memories {
		byID[m.ID] = m
	}
	for _, c := range compactions {
		one := Compaction{Compaction: c}
		for _, id := range c.Replaced {
			m, known := byID[id]
			if !known || m.Tier != memory.TierCold || m.Pinned || replaced[id] {
				return nil, fmt.Errorf("the compactor replaces %s, which it may not", id.Short())
			}
			replaced[id] = true
			one.Memories = append(one.Memories, m)
		}
		if (c.Keep == "") == (c.Text == "") {
			return nil, fmt.Errorf("the compactor names neither or both of a memory and a text")
		}
		if c.Text != "" && len(c.Replaced) > maxSources {
			return nil, fmt.Errorf("the compactor writes one text for %d memories, and a text names at most %d", len(c.Replaced), maxSources)
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

// Declared returns what is declared of a text that takes the place of memories. It is COLD as
// they were. It has the date of the newest, and the trust of the least trusted of them. It names
// their texts, and is hidden and destroyed with each.
func (c Compaction) Declared(user string, scope memory.Scope) memory.Declared {
	trust, created, texts := memory.TrustTrusted, time.Time{}, []memory.Fingerprint(nil)
	for _, m := range c.Memories {
		texts = append(texts, m.Fingerprint)
		if m.Trust == memory.TrustUntrusted {
			trust = m.Trust
		}
		if m.CreatedAt.After(created) {
			created = m.CreatedAt
		}
	}
	return memory.Declared{Source: memory.SourceTool, SourceRef: chunker.ModelRef("", nil, texts), User: user, Trust: trust, Scope: scope, Tier: memory.TierCold, Created: created}
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
