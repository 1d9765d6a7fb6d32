package decay

import (
	"context"

	"github.com/memory-tiered/memory"
)

// MemoryCompactor finds COLD memories that another text makes superfluous. They become
// ARCHIVE, on the order of a person. After a sweep, that of unused scenes may do so by itself.
type MemoryCompactor interface {
	// Compact returns what may take the place of COLD memories. The memories are in force,
	// of one user and scope, and neither private nor quarantined. Of several that say the same, the
	// first is the one to keep. Those of other tiers and pinned ones always stay.
	Compact(ctx context.Context, memories []memory.Memory) ([]Compaction, error)
}

// Compaction takes COLD memories out of use. Either one of the memories stays for them,
// or a new text is stored.
type Compaction struct {
	Keep     memory.ID   // the memory that stays; empty: Text is stored
	Reason   string      // what Keep does, for a person; empty: it says the same
	Text     string      // the new text, such as a summary; only without Keep
	Replaced []memory.ID // the COLD memories that become ARCHIVE
}
