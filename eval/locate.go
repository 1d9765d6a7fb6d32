package eval

import (
	"fmt"
	"slices"

	"github.com/memory-tiered/memory"
)

// WithoutMemory lists the relevant and allowed lines of golden queries that belong to no
// memory of their workspace, so that nothing can find them.
func WithoutMemory(golden []Golden, memories []memory.Memory) (lost []string) {
	for _, g := range golden {
		for _, l := range slices.Concat(g.Relevant, g.Allowed) {
			if _, ok := MemoryAt(memories, l); !ok {
				lost = append(lost, fmt.Sprintf("line %d: %s is no memory", g.FileLine, l))
			}
		}
	}
	return lost
}

// MemoryAt returns the memory that contains a line.
func MemoryAt(memories []memory.Memory, l Line) (memory.Memory, bool) {
	at := slices.IndexFunc(memories, func(m memory.Memory) bool { return !m.Missing && l.isIn(m) })
	if at < 0 {
		return memory.Memory{}, false
	}
	return memories[at], true
}
