// Package identity decides which block of a file is which memory. It alone
// defines what "the same memory" means. It is pure and sees a whole batch at
// once.
//
// Two rules come first. A text that survives unchanged keeps its memory,
// wherever it goes. And a memory never receives the state of another one: where
// the evidence is weak, a block becomes a new memory.
package identity

import (
	"time"

	"github.com/memory-tiered/memory"
)

// KnownMemory is a stored memory that a block may belong to.
type KnownMemory struct {
	ID               memory.ID
	Fingerprint      memory.Fingerprint   // of its text, current or last
	PastFingerprints []memory.Fingerprint // of all its texts, Fingerprint included
	Text             string
	BlockID          string
	User             string // whose its text is, as the text and its file declare it; empty: everybody's
	Path             string // current or last file
	Ordinal          int
	Heading          []string
	Start, End       int // bytes of its block in the file; 0 if it is missing
	LineStart        int // 1-based; 0 if it is missing

	PastPlaces []PastPlace

	Missing      bool
	MissingSince time.Time
	FirstSeen    time.Time
	HasDecision  bool // a person decided something about this memory alone
	IsForgotten  bool
	OutsideBatch bool // present in a file that is not part of the batch

	// BeingDestroyed: only an edit of its text in the same file matches it. So a copy
	// under another heading does not take its place.
	BeingDestroyed bool
}

// PastPlace is a file in which a memory had one of its texts, and that it left.
// If the text returns to that file, it is this memory again.
type PastPlace struct {
	Path        string
	Fingerprint memory.Fingerprint
	Ordinal     int
	LeftAt      time.Time
}

// IndexedBlock is a block of a file as it is indexed.
type IndexedBlock struct {
	ID        memory.ID
	Ordinal   int
	Start     int // of its bytes
	LineStart int
	Hash      int64 // as in [memory.Placement]; 0: not known
}

// KnownQuery selects the memories that the blocks of a batch may match.
type KnownQuery struct {
	Paths        []string             // memories whose current or last place is in these files
	Left         []string             // missing memories whose last place is in these files of the batch
	IDs          []memory.ID          // these memories
	Fingerprints []memory.Fingerprint // memories that have or had one of these fingerprints
	MissingSince time.Time            // memories that became missing at that time or later, in any file
}

// NewBlock is a block of the batch. The blocks of one file come in order.
type NewBlock struct {
	Path    string
	Ordinal int
	User    string // as the block and its file declare it; empty: everybody's
	Block   memory.Block

	// PreferredID is the id from front matter for the block. It selects among
	// memories with the block's text that are missing or moved. It is also used if the block
	// becomes a new memory and no other memory has the id. If empty, an id is
	// made.
	PreferredID memory.ID
}

// Result lists the outcome for a batch.
type Result struct {
	IDs       []memory.ID     // the memory of each block, in input order
	Changes   []memory.Change // how that memory changed, in the same order
	TakeOvers []memory.TakeOver
	Missing   []memory.ID // memories in the batch's files that no block matched
}

// TakeOverWindow is the time for which a memory that became missing competes
// with others for an edited text in another file.
const TakeOverWindow = takeOverWindow

// Match pairs the blocks of a batch with known memories, one to one. It uses the
// strongest evidence first. That is an edit of which a program knows the memory, then
// the same ^id in the same file, then the same text. The same text counts in the same file first, then at a past place, then
// elsewhere, then as a past text of a memory. Last comes a similar text at a
// similar position. Each remaining block becomes a new memory.
//
// A text of a user is no text of another one. Only where it stays in its file, it may
// change its user and remain the same memory.
//
// known must contain every memory whose current or last file is in the batch,
// removed ones included. It must also contain every memory with a current or
// past fingerprint that a block of the batch has. The same holds for one that
// those memories have, or had at a past place. Other missing memories only
// prevent wrong matches. The result depends on the arguments only; reordering
// blocks only reorders it.
func Match(now time.Time, known []KnownMemory, blocks []NewBlock) Result {
	m := newMatcher(now, known, blocks)
	m.matchBlockIDs()
	m.matchSameText()
	m.matchPastText()
	m.matchSimilarText()
	return m.result()
}
