package memory

import (
	"crypto/sha256"
	"time"
)

// Hash is the SHA-256 of a file's bytes.
type Hash [sha256.Size]byte

// FileState is what the index knows of one Markdown file.
type FileState struct {
	Path     string
	Hash     Hash
	Stamp    string // opaque: equal stamps mean that the file need not be read
	Size     int64
	ModTime  time.Time
	Declared Declared // the file's front matter
	Defaults Declared // defaults of the configuration for its path
	Entries  []Entry  // decisions about single memories in its front matter
	Faults   []Fault
}

// DecisionsFile is the path of the file that contains a workspace's decisions
// when they are kept out of the Markdown files. It contains no memories.
const DecisionsFile = "memory/.decisions.yaml"

// Entry is one decision about one memory, as front matter contains it. It is matched by id
// with an agreeing quote, then by exact quote, and never by id alone.
type Entry struct {
	IDPrefix  string // hexadecimal digits, no hyphens; may be empty
	Quote     string // the beginning of the memory's text
	Declared  Declared
	Line      int    // line number in the file that contains it
	MatchedID ID     // the matched memory; empty: none
	Path      string // only in a decisions file: the path of the memory's file
	Unread    string // a line that protects and cannot be read; the index has what it names instead

	// Doubtful lists the memories that an entry may be about, if it protects one and
	// matches none exactly. They are protected until a person decides about each.
	Doubtful []ID

	// Settled reports that a person decided about all memories that the entry may
	// be about. It has no effect then.
	Settled bool
}

// PartialStamp is the stamp of a file of which not all blocks are indexed yet.
const PartialStamp = "partial"

// Change describes how a batch changed a memory.
type Change uint8

const (
	Unchanged Change = iota
	Added
	Edited   // same memory, new text
	Moved    // same text, new file
	Returned // was missing
)

// Placement assigns one block of a file to a memory.
type Placement struct {
	ID      ID
	Path    string
	Ordinal int // the block's number in the file, from 0, or PropertiesOrdinal
	Block   Block
	Hash    int64 // of all that the memory is made from, except the block's position
	Chunks  []Chunk
	Change  Change

	DetectedType     Type
	DetectedCategory Category
	Lang             string
	Speaker          string    // the "Name" where texts of the file begin with "Name: "; else empty
	Entities         []string  // for entity_refs
	Aliases          []string  // other names of the file
	NoteDate         time.Time // the date in a daily note's name; zero elsewhere
}

// PropertiesOrdinal is the number of the block with the properties in front matter, which
// is above all others.
const PropertiesOrdinal = -1

// TakeOver replaces a younger memory by an elder one with the same text, whose
// own text is gone. The younger memory is dropped.
type TakeOver struct{ Elder, Younger ID }

// Batch contains everything that one pass over changed files has found, or a part of it.
// It is applied in one transaction. Without Shifts, it may be applied twice.
//
// A large pass makes several batches. The first one describes all files with all decisions.
// Those that follow place more memories of these files.
type Batch struct {
	Files         []FileState // new or changed; Placements, Later and Shifts contain all their blocks
	Removed       []string    // paths of deleted files
	Touched       []FileState // same content, new stamp
	Rematched     []FileState // unchanged files with entries that now match other memories
	Placements    []Placement // arrivals are committed before departures
	Shifts        []Shift
	TakeOvers     []TakeOver
	Missing       []ID // memories whose text is gone
	Parts         []Part
	Branch        string // the git branch on which the files were read; empty without git
	BranchUnsure  bool   // git was changing them, had not finished a merge, or moved the branch back
	DecisionsLost bool   // the decisions file is gone or has no list, and no git commit removed it: that reverts nothing
	Force         bool   // rewrite chunks even where the text did not change

	Later     []ID        // memories of Files that a following batch places
	Continued []FileState // files of an earlier batch that Placements has more blocks of
	Completed []FileState // files of this batch or an earlier one whose blocks are all placed now
}

// Shift is a run of blocks of a file that are as indexed, except that they moved together.
type Shift struct {
	Path                 string
	From, To             int // their ordinals as they are indexed, [From, To)
	Blocks, Bytes, Lines int // how far they move
}

// Part is a new memory that has a part of the former text of another one, word by word. It may
// also have the whole of it and more words.
type Part struct{ Memory, Of ID }
