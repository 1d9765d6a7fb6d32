package verify

import (
	"io"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

// Wanted is what a scan looks for: [Texts], or [Hashes] where the texts are not known.
type Wanted interface {
	// Index returns the offset at which a text begins in b, or -1.
	Index(b []byte) int
	// IndexReader is Index for a whole file.
	IndexReader(r io.Reader) (offset int64, err error)
	// HasBlock reports whether a block of Markdown is one of the texts. Such a block may
	// escape markup that the text has without a backslash.
	HasBlock(memory.Fingerprint) bool
	// longest is the most bytes that a text takes where its words are not wrapped.
	longest() int
}

// Texts are texts that are known.
type Texts struct {
	*Matcher
	blocks map[memory.Fingerprint]bool
}

// NewTexts returns what finds texts.
func NewTexts(texts ...string) Texts {
	t := Texts{NewMatcher(texts...), map[memory.Fingerprint]bool{}}
	for _, text := range texts {
		t.blocks[chunker.Fingerprint(text)] = true
	}
	return t
}

// HasBlock reports whether a block of Markdown is one of the texts.
func (t Texts) HasBlock(f memory.Fingerprint) bool { return t.blocks[f] }
