package recall

import (
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/internal/similar"
	"github.com/memory-tiered/memory/recall/language"
)

// dedupe keeps one memory of each group of near-duplicates, at the place of the best
// of them. Pinned memories represent the group before others, newer ones before
// older ones.
func dedupe(found []*candidate) (kept []*candidate, rejected []Rejection) {
	texts := make([]comparison, 0, len(found))
	for _, c := range found {
		text := newComparison(c.Memory)
		group := -1
		for i := range kept {
			if texts[i].nearDuplicate(&text) && sameAudience(kept[i].Memory, c.Memory) {
				group = i
				break
			}
		}
		if group < 0 {
			kept, texts = append(kept, c), append(texts, text)
			continue
		}
		keep, drop := kept[group], c
		if representsBetter(c.Memory, keep.Memory) {
			keep, drop = c, keep
			texts[group] = text
		}
		merged := *keep // a copy, because a second dedupe may see the candidate again
		merged.duplicates = slices.Concat(keep.duplicates, drop.duplicates, []*candidate{drop})
		kept[group] = &merged
	}
	for _, c := range kept {
		for _, duplicate := range c.duplicates {
			r := duplicate.reject(RejectedDuplicate)
			r.DuplicateOf = c.ID
			rejected = append(rejected, r)
		}
	}
	return kept, rejected
}

// comparison is a memory that is compared with others. Reading the words of many long
// texts takes longer than the search, and the digits of most differ.
type comparison struct {
	memory *memory.Memory
	long   bool
	digits uint64        // of a long text
	text   *similar.Text // nil: not read yet
}

// longText is the length in bytes from which the digits are compared first.
const longText = 512

func newComparison(m *memory.Memory) comparison {
	c := comparison{memory: m, long: len(m.Text) >= longText && similar.HasWords(m.Text)}
	if c.long {
		c.digits = similar.Digits(m.Text)
	}
	return c
}

func (c *comparison) nearDuplicate(other *comparison) bool {
	if c.long && other.long && c.digits != other.digits {
		return false
	}
	return c.read().NearDuplicate(other.read())
}

func (c *comparison) read() *similar.Text {
	if c.text == nil {
		c.text = new(comparisonText(c.memory))
	}
	return c.text
}

// comparisonText returns the words by which near-duplicates are found: the text, with
// its headings if it is short.
func comparisonText(m *memory.Memory) similar.Text {
	text := language.Clean(m.Text)
	if similar.IsShort(text) {
		text = strings.Join(chunker.Topics(m.Heading), " ") + " " + text
	}
	return similar.New(text)
}

// sameAudience reports whether one memory may represent the other. A copy in another
// scope and a forgotten one may not, for example.
func sameAudience(a, b *memory.Memory) bool {
	return a.Scope == b.Scope && a.Forgotten == b.Forgotten && a.Private == b.Private && a.Trust == b.Trust
}

// representsBetter reports whether a rather than b represents a group.
func representsBetter(a, b *memory.Memory) bool {
	if a.Pinned != b.Pinned {
		return a.Pinned
	}
	return lastChanged(a).After(lastChanged(b))
}

// lastChanged returns when the text of a memory was written or last edited.
func lastChanged(m *memory.Memory) time.Time {
	if m.EditedAt != nil && m.EditedAt.After(m.CreatedAt) {
		return *m.EditedAt
	}
	return m.CreatedAt
}
