// Package identity decides which block is which memory. It alone knows what
// "the same memory" means; it is pure and sees a whole batch at once.
//
// Two rules stand above all others. A text that survives exactly keeps its
// memory, wherever it goes. And no state ever comes to a memory that did not
// have it: where the evidence is thin, a block becomes a new memory.
package identity

import (
	"time"

	"github.com/memory-tiered/memory"
)

// KnownMemory is a memory that blocks may turn out to be.
type KnownMemory struct {
	ID               memory.ID
	Fingerprint      memory.Fingerprint   // of its text, now or last
	PastFingerprints []memory.Fingerprint // every one it has had, Fingerprint included
	Text             string
	BlockID          string
	Path             string // where it stands, or stood last
	Ordinal          int
	Heading          []string

	Missing      bool
	MissingSince time.Time
	FirstSeen    time.Time
	HasDecision  bool // somebody has declared something about it alone
	OutsideBatch bool // present in a file that is not part of the batch
}

// NewBlock is a block of the batch. Those of one file come in order.
type NewBlock struct {
	Path    string
	Ordinal int
	Block   memory.Block

	// PreferredID is the id that the block gets should it be a new memory and nobody
	// hold that id: what front matter calls it. Empty: one is made.
	PreferredID memory.ID
}

// Result is what became of a batch.
type Result struct {
	IDs       []memory.ID     // the memory of each fresh block, in the order given
	Changes   []memory.Change // what became of it
	TakeOvers []memory.TakeOver
	Missing   []memory.ID // known in the batch's files, and claimed by no block
}

// Match pairs the fresh blocks of a batch with the memories that they are, one
// to one, the strongest evidence first: the same ^id in the same file, the same
// text (in the same file, then elsewhere, then a text that the memory had
// before), a similar text (nearer in place first). What is left over is new.
//
// known must hold every memory that stands, or stood last, in a file of the
// batch (removed ones included), and every one that has or had one of the fresh
// fingerprints, or one of those that the batch's memories have now. The result
// depends on the arguments alone, and on the order of fresh only in its order.
func Match(now time.Time, known []KnownMemory, blocks []NewBlock) Result {
	m := newMatcher(known, blocks)
	m.matchBlockIDs()
	m.matchSameText()
	m.matchPastText()
	m.matchSimilarText()
	return m.result(now)
}
