package compaction

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/internal/alignment"
)

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
