package block

import (
	"math"
	"unicode/utf8"

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
	e.excerpt = nil
	space := b.space - e.leastLabel()
	if (len(e.Text) <= space || !exceeds(e.Text, space)) && b.take(e) {
		return true
	}
	if e.mostBytes() <= b.whole || !exceeds(e.Text, b.whole) && len(e.render(true)) <= b.whole {
		return false
	}
	for bytes := b.space; ; bytes = min(bytes, excerptBytes) * 3 / 4 {
		x, ok := cutExcerpt(e.Text, e.Terms, bytes)
		if !ok {
			e.excerpt = nil
			return false
		}
		if e.excerpt = &x; b.take(e) {
			return true
		}
	}
}

// take renders a memory, and takes its space if there is enough.
func (b *Budget) take(e *Entry) bool {
	e.line = e.render(true)
	if len(e.line) > b.space {
		return false
	}
	b.space -= len(e.line)
	return true
}

// leastLabel returns the bytes that a line has besides its text at least.
func (e *Entry) leastLabel() int { return len("- [ ] \n") + len(e.IDPrefix) }

// mostBytes returns more bytes than the line of the whole text can have. Most memories
// are short, so that this shows without rendering that they fit into an empty block.
func (e *Entry) mostBytes() int {
	const perByte, fixed = 6, 200 // no character becomes longer than that, and dates and marks are short
	bytes := len(e.Text) + len(e.Category) + len(e.IDPrefix) + len(e.Mark)
	for _, h := range e.Heading {
		bytes += len(h) + len(" › ")
	}
	return perByte*bytes + fixed
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
