package block

import (
	"unicode/utf8"

	"github.com/memory-tiered/memory"
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
	if len(e.Text) > b.space && exceeds(e.Text, b.space) {
		return false // rendering a long text takes longer than the search
	}
	e.line = e.render(true)
	if len(e.line) > b.space {
		return false
	}
	b.space -= len(e.line)
	return true
}

// exceeds is a quick test. If it is true, a text has more bytes than some once it is
// rendered. It counts the characters that rendering never removes: those of ASCII but
// spaces. One before another script may become part of its next character.
func exceeds(text string, bytes int) bool {
	for i := range len(text) - 1 {
		if c := text[i]; c > ' ' && c <= '~' && text[i+1] < utf8.RuneSelf {
			if bytes--; bytes < 0 {
				return true
			}
		}
	}
	return false
}
