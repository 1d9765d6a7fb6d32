package recall

import (
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory/internal/alignment"
	"github.com/memory-tiered/memory/recall/notation"
	"github.com/memory-tiered/memory/recall/question"
)

// maxCompared bounds the memories that are compared for other values: each pair is
// read, and a block of notes seldom has more.
const maxCompared = 10

// leastNewer is how much newer a memory must be to count as a later statement. Texts
// of one day were often written together.
const leastNewer = 24 * time.Hour

// newerFirst puts a memory before an older one that states another value of the
// same subject ("port 8080", then "moved to port 8081"). It marks the older one. Both
// stay. A question about the past gets them the other way round. Talk is left as it is:
// there both often happened. found is in the order of the ranking, which is not changed.
func newerFirst(found []*candidate, in question.Intent) []*candidate {
	sorted, n := slices.Clone(found), min(maxCompared, len(found))
	replaces := laterValues(found[:n])
	var places [maxCompared]int // in found, of those that are sorted
	for i, c := range found[:n] {
		goesBefore := func(other int) bool {
			if in.WantsPast {
				return replaces[other][i]
			}
			return replaces[i][other]
		}
		at := slices.IndexFunc(places[:i], goesBefore)
		if at < 0 {
			at = i
		}
		copy(sorted[at+1:i+1], sorted[at:i])
		copy(places[at+1:i+1], places[at:i])
		sorted[at], places[at] = c, i
		c.older = slices.ContainsFunc(replaces[:n], func(newer [maxCompared]bool) bool { return newer[i] })
	}
	return sorted
}

// laterValues reports, for each pair of some notes, whether the first states a later value than
// the second.
func laterValues(found []*candidate) (replaces [maxCompared][maxCompared]bool) {
	var texts [maxCompared]*alignment.Text
	read := func(i int) *alignment.Text {
		if texts[i] == nil {
			text, _ := notation.WithoutStruck(found[i].Text)
			texts[i] = alignment.Read(text)
		}
		return texts[i]
	}
	for i, newer := range found {
		for k, older := range found {
			replaces[i][k] = isLaterNote(newer, older) && alignment.Compare(read(i), read(k)) == alignment.Replaces
		}
	}
	return replaces
}

// isLaterNote reports whether a note was written later than another one, for the same
// readers, and still holds.
func isLaterNote(newer, older *candidate) bool {
	return newer.Signals.Speaker == "" && older.Signals.Speaker == "" && !newer.isUntrusted() && newer.Validity == notation.Holds &&
		lastChanged(newer.Memory).Sub(lastChanged(older.Memory)) >= leastNewer && sameAudience(newer.Memory, older.Memory)
}

// mark returns the mark of a candidate in the block.
func (c *candidate) mark() string {
	if c.Validity == notation.Holds && c.older {
		return "older"
	}
	if _, partly := notation.WithoutStruck(c.Text); partly && c.Validity != notation.Outdated {
		return strings.TrimPrefix(c.Validity.String()+", partly outdated", ", ")
	}
	return c.Validity.String()
}
