package block

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/language"
)

// Budget is the space that a block has left.
type Budget struct {
	space int // bytes
}

// NewBudget returns the space for memories in a block of some tokens, beside the current
// context.
func NewBudget(maxTokens int, current *memory.Context) *Budget {
	return &Budget{space: maxTokens*bytesPerToken - len(blockOpen+renderContext(current)+blockIntro+blockClose)}
}

// Fits reports whether the block still has space for a memory. If so, it takes the
// space.
func (b *Budget) Fits(e *Entry) bool {
	if len(e.Text) > b.space && language.IsClean(e.Text) { // rendering never shortens a clean text
		return false
	}
	e.line = e.render(true)
	if len(e.line) > b.space {
		return false
	}
	b.space -= len(e.line)
	return true
}
