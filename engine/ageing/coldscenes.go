package ageing

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/scene"
)

// ColdScenes is a compactor of scenes that nobody used for some time. Their extract stays, and
// answers in place of the other memories.
type ColdScenes struct {
	Now    time.Time
	Unused time.Duration
}

// leastCold is the smallest scene of which memories are archived: twice as large as its extract.
const leastCold = 2 * scene.ExtractSize

// Compact implements [decay.MemoryCompactor]. Untrusted memories neither stand for others nor
// need any, and pinned ones stay. A smaller scene comes before a larger one that has it. What
// is left of a scene, beside archived memories, stands for them, and stays.
func (c ColdScenes) Compact(_ context.Context, memories []memory.Memory) (list []decay.Compaction, err error) {
	memories = slices.DeleteFunc(memories, func(m memory.Memory) bool { return m.Pinned || m.Trust != memory.TrustTrusted })
	all := lookup.ScenesOf(memories).Listed()
	slices.SortStableFunc(all, func(a, b *scene.Scene) int { return cmp.Compare(len(a.At), len(b.At)) })
	settled := map[int]bool{}
	for _, s := range all {
		var rest []memory.Memory
		isCold, archived := true, 0
		for _, i := range s.At {
			m := memories[i]
			if m.Tier == memory.TierArchive {
				archived++
				continue
			}
			isCold = isCold && m.Tier == memory.TierCold && decay.EffectiveAge(&m, c.Now) >= c.Unused
			if !settled[i] {
				rest = append(rest, m)
			}
		}
		isExtract := archived > 0 && len(s.At)-archived < leastCold
		if !isExtract && (!isCold || len(rest) < leastCold) {
			continue
		}
		for _, i := range s.At {
			settled[i] = true
		}
		if isExtract {
			continue
		}
		for kept, replaced := range scene.Represent(rest) {
			list = append(list, decay.Compaction{Keep: kept, Replaced: replaced, Reason: "stands for its scene " + s.ID})
		}
	}
	slices.SortFunc(list, func(a, b decay.Compaction) int { return cmp.Compare(a.Keep, b.Keep) })
	return list, nil
}
