package recall

import (
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
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
// there both often happened. found is in the order of the ranking; it is not changed.
func newerFirst(found []*candidate, in question.Intent) []*candidate {
	sorted, read := slices.Clone(found), statements{}
	n := min(maxCompared, len(sorted))
	for i := 1; i < n; i++ {
		c := sorted[i]
		goesBefore := func(other *candidate) bool {
			if in.WantsPast {
				return read.replaces(other, c)
			}
			return read.replaces(c, other)
		}
		if k := slices.IndexFunc(sorted[:i], goesBefore); k >= 0 {
			copy(sorted[k+1:i+1], sorted[k:i])
			sorted[k] = c
		}
	}
	for i, c := range sorted[:n] {
		if slices.ContainsFunc(sorted[:n], func(newer *candidate) bool { return read.replaces(newer, c) }) {
			marked := *c // a copy, because the candidate belongs to the caller
			marked.older = true
			sorted[i] = &marked
		}
	}
	return sorted
}

// statements keeps the statements of candidates that were compared. Reading a long text
// for each pair would take longer than the search.
type statements map[memory.ID]*alignment.Text

func (read statements) of(c *candidate) *alignment.Text {
	s := read[c.ID]
	if s == nil {
		text, _ := notation.WithoutStruck(c.Text)
		s = alignment.Read(text)
		read[c.ID] = s
	}
	return s
}

// replaces reports whether a note states a later value than another one.
func (read statements) replaces(newer, older *candidate) bool {
	return isLaterNote(newer, older) && alignment.Compare(read.of(newer), read.of(older)) == alignment.Replaces
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
