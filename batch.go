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
	Defaults Declared // what the configuration gives its path
	Entries  []Entry  // what its front matter decides about single memories
	Faults   []Fault
}

// DecisionsFile is where a workspace's decisions stand when they are kept out of
// the Markdown files. It holds no memory.
const DecisionsFile = "memory/.decisions.yaml"

// Entry is one decision about one memory as front matter holds it. It is
// matched by id with an agreeing quote, then by exact quote, then by
// similarity; never by id alone.
type Entry struct {
	IDPrefix  string // hexadecimal digits, no hyphens; may be empty
	Quote     string // the beginning of the text it is about
	Declared  Declared
	Line      int    // in the file that holds it
	MatchedID ID     // the memory it was matched to; empty: none
	Path      string // where it stands in a decisions file: the file it is about
}

// Change says what became of a memory in a batch.
type Change uint8

const (
	Unchanged Change = iota
	Added
	Edited   // same memory, other text
	Moved    // same text, other file
	Returned // was missing
)

// Placement is one block in its file, and the memory that it is.
type Placement struct {
	ID      ID
	Path    string
	Ordinal int // the block's number in the file, from 0
	Block   Block
	Chunks  []Chunk
	Change  Change

	DetectedType     Type
	DetectedCategory Category
	Lang             string
	Speaker          string    // who says it, where the texts of its file begin with "Name: "; else empty
	Entities         []string  // for entity_refs
	NoteDate         time.Time // the date in a daily note's name; zero elsewhere
}

// TakeOver says that an elder memory whose text is gone stands where a younger
// one of the same text stood, which is dropped.
type TakeOver struct{ Elder, Younger ID }

// Batch is everything that one look at changed files has found. Applied in one
// transaction; applying it twice is the same as once.
type Batch struct {
	Files                     []FileState // new or changed; their placements are all in Placed
	Removed                   []string    // paths that are gone
	Touched                   []FileState // same content, other stamp
	Rematched                 []FileState // unchanged files whose entries are about other memories than before
	Placements                []Placement // what arrives is committed before what departs
	TakeOvers                 []TakeOver
	Missing                   []ID   // memories whose text is gone
	Branch                    string // on which of git's branches the files were read; empty where there is no git
	DecisionsRemovalCommitted bool   // that the decisions file is gone was committed: nobody lost it by accident
	Force                     bool   // chunks are rewritten even where text did not change
}

// KnownQuery asks the index for every memory that a batch could be about.
type KnownQuery struct {
	Paths        []string      // those placed, or last placed, in these files
	Fingerprints []Fingerprint // those that have, or ever had, one of these
	MissingSince time.Time     // those missing since then, wherever they stood
}
