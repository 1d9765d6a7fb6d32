package block

import (
	"math"

	"github.com/memory-tiered/memory"
)

// Budget is the space that a block has left.
type Budget struct {
	whole, space int // bytes: of an empty block, and what is left
}

// MaxTokens is the largest size of a block. More tokens have no effect.
const MaxTokens = 1 << 28

// contextShare is the share of a block that the current context may take from the memories.
const contextShare = 0.5

// NewBudget returns the space for memories in a block of some tokens. The current context
// leaves them at least one minus contextShare of it.
func NewBudget(maxTokens int, current *memory.Context) *Budget {
	bytes := min(maxTokens, MaxTokens) * bytesPerToken
	taken := min(len(renderContext(current, bytes)), int(contextShare*float64(bytes)))
	space := bytes - len(blockOpen+blockIntro+blockClose) - taken
	return &Budget{whole: space, space: space}
}

// CutsContext reports whether the current context is longer than its share of a block.
func CutsContext(current *memory.Context, maxTokens int) bool {
	bytes := min(maxTokens, MaxTokens) * bytesPerToken
	return bytes > 0 && len(renderContext(current, math.MaxInt)) > int(contextShare*float64(bytes))
}

// Fits reports whether the block still has space for a memory. If so, it takes the
// space. Of a text that does not even fit into an empty block, an excerpt is enough.
func (b *Budget) Fits(e *Entry) bool {
	if e.excerpt != nil {
		e.show(nil)
	}
	if b.take(e) {
		return true
	}
	if e.size(true) <= b.whole {
		return false
	}
	for bytes := b.space; ; bytes = min(bytes, excerptBytes) * 3 / 4 {
		x, ok := cutExcerpt(e.Text, e.Terms, bytes)
		if !ok {
			e.show(nil)
			return false
		}
		if e.show(&x); b.take(e) {
			return true
		}
	}
}

// take takes the space of a memory if there is enough.
func (b *Budget) take(e *Entry) bool {
	size := e.size(true)
	if size > b.space {
		return false
	}
	b.space -= size
	return true
}
