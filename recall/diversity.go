package recall

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/internal/alignment"
	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/recall/question"
)

// dedupe keeps one memory of each group of near-duplicates, at the place of the best
// of them. Pinned memories represent the group before others. Then come those of a time
// that the question names, and newer ones before older ones.
func (r *Recaller) dedupe(found []*candidate, in question.Intent) (kept []*candidate, rejected []Rejection) {
	texts := make([]*alignment.Text, 0, len(found))
	kept = make([]*candidate, 0, len(found))
	for _, c := range found {
		text := comparisonText(c.Memory)
		group := -1
		for i := range kept {
			if texts[i].NearDuplicate(text) && sameAudience(kept[i].Memory, c.Memory) {
				group = i
				break
			}
		}
		if group < 0 {
			kept, texts = append(kept, c), append(texts, text)
			continue
		}
		keep, drop := kept[group], c
		if r.representsBetter(c.Memory, keep.Memory, in) {
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

// longestCompared is the length in bytes up to which the words of a text are compared. A longer
// text is a near-duplicate of equal ones only: the words of a text of 10 MB take gigabytes.
const longestCompared = 16 << 10

// comparisonText returns the words by which near-duplicates are found: the text, with
// its headings if it is short. Of a very long text, it returns a hash.
func comparisonText(m *memory.Memory) *alignment.Text {
	if len(m.Text) > longestCompared {
		sum := sha256.Sum256([]byte(m.Text))
		return alignment.Read(hex.EncodeToString(sum[:]))
	}
	text := lang.Clean(m.Text)
	if alignment.IsShort(text) {
		text = strings.Join(chunker.Topics(m.Heading), " ") + " " + text
	}
	return alignment.Read(text)
}

// sameAudience reports whether one memory may represent the other. A copy in another
// scope and a forgotten one may not, for example.
func sameAudience(a, b *memory.Memory) bool {
	return a.Scope == b.Scope && a.Forgotten == b.Forgotten && a.Private == b.Private && a.Trust == b.Trust
}

// representsBetter reports whether a rather than b represents a group.
func (r *Recaller) representsBetter(a, b *memory.Memory, in question.Intent) bool {
	if a.Pinned != b.Pinned {
		return a.Pinned
	}
	monthA, dayA := in.MatchMemory(a, r.set.zone())
	monthB, dayB := in.MatchMemory(b, r.set.zone())
	if monthA+dayA != monthB+dayB {
		return monthA+dayA > monthB+dayB
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
