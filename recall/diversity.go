package recall

import (
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/similar"
)

// dedupe leaves one of each group of near-duplicates, where the best of them
// stood. The newest speaks, a pinned one before any that is not, and counts the
// others. left says who went and for whom.
func dedupe(found []*candidate) (kept []*candidate, left []Rejection) {
	texts := make([]similar.Text, 0, len(found))
	for _, c := range found {
		text := comparable(c.Memory)
		at := -1
		for i := range kept {
			if texts[i].NearDuplicate(&text) && sameAudience(kept[i].Memory, c.Memory) {
				at = i
				break
			}
		}
		if at < 0 {
			kept, texts = append(kept, c), append(texts, text)
			continue
		}
		speaker, silent := kept[at], c
		if representsBetter(c.Memory, speaker.Memory) {
			speaker, silent = c, speaker
			texts[at] = text
		}
		both := *speaker // the candidate itself may be collapsed again, among others
		both.duplicates = slices.Concat(speaker.duplicates, silent.duplicates, []*candidate{silent})
		kept[at] = &both
	}
	for _, c := range kept {
		for _, silent := range c.duplicates {
			said := silent.reject(RejectedDuplicate)
			said.DuplicateOf = c.ID
			left = append(left, said)
		}
	}
	return kept, left
}

// comparable returns the words that tell a memory from its near-duplicates.
func comparable(m *memory.Memory) similar.Text {
	text := clean(m.Text)
	if similar.IsShort(text) {
		text = strings.Join(topicHeadings(m.Heading), " ") + " " + text
	}
	return similar.New(text)
}

// sameAudience keeps what is told to different people apart: a copy in another
// scope, or one that was forgotten, speaks for no other.
func sameAudience(a, b *memory.Memory) bool {
	return a.Scope == b.Scope && a.Forgotten == b.Forgotten && a.Private == b.Private && a.Trust == b.Trust
}

func representsBetter(a, b *memory.Memory) bool {
	if a.Pinned != b.Pinned {
		return a.Pinned
	}
	return lastChanged(a).After(lastChanged(b))
}

// lastChanged is when a memory's text became what it is.
func lastChanged(m *memory.Memory) time.Time {
	if m.EditedAt != nil && m.EditedAt.After(m.CreatedAt) {
		return *m.EditedAt
	}
	return m.CreatedAt
}
