// Package identity decides which block is which memory. It alone knows what
// "the same memory" means; it is pure and sees a whole batch at once.
package identity

import (
	"time"

	"github.com/memory-tiered/memory"
)

// Known is a memory that blocks may turn out to be.
type Known struct {
	ID          memory.ID
	Fingerprint memory.Fingerprint   // of its text, now or last
	Former      []memory.Fingerprint // every one it has had, Fingerprint included
	Text        string
	BlockID     string
	Path        string // where it stands, or stood last
	Ordinal     int
	Heading     []string

	Missing      bool
	MissingSince time.Time
	FirstSeen    time.Time
	Decided      bool // somebody has declared something about it alone
	Elsewhere    bool // present in a file that is not part of the batch
}

// Fresh is a block of the batch. Those of one file come in order.
type Fresh struct {
	Path    string
	Ordinal int
	Block   memory.Block
}

// Result is what became of a batch.
type Result struct {
	IDs       []memory.ID     // the memory of each fresh block, in the order given
	Changes   []memory.Change // what became of it
	TakeOvers []memory.TakeOver
	Missing   []memory.ID // known in the batch's files, and claimed by no block
}
