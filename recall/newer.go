package recall

import (
	"math"
	"slices"
	"time"

	"github.com/memory-tiered/memory/internal/similar"
	"github.com/memory-tiered/memory/recall/validity"
)

// maxCompared bounds the memories that are compared for other values: each pair is
// read, and a block of notes seldom has more.
const maxCompared = 10

// leastNewer is how much newer a memory must be to count as a later statement. Texts
// of one day were often written together.
const leastNewer = 24 * time.Hour

// newerFirst puts a memory before an older one that states another value of the
// same subject ("port 8080", then "moved to port 8081"). It marks the older one. Both
// stay. If only the similarity decided between two values, the newer one comes first
// without a mark. Talk is left as it is: there both often happened. found is in the
// order of the ranking; it is not changed.
func newerFirst(found []*candidate) []*candidate {
	sorted, read := slices.Clone(found), statements{}
	n := min(maxCompared, len(sorted))
	for i := 1; i < n; i++ {
		for k := range i {
			if c := sorted[i]; read.replaces(c, sorted[k]) || read.mayReplace(c, sorted[k]) {
				copy(sorted[k+1:i+1], sorted[k:i])
				sorted[k] = c
				break
			}
		}
	}
	for i, c := range sorted[:n] {
		if slices.ContainsFunc(sorted[:i], func(newer *candidate) bool { return read.replaces(newer, c) }) {
			marked := *c // a copy, because the candidate belongs to the caller
			marked.older = true
			sorted[i] = &marked
		}
	}
	return sorted
}

// statements keeps the statements of candidates that were compared. Reading a long text
// for each pair would take longer than the search.
type statements map[*candidate]*similar.Statement

func (read statements) of(c *candidate) *similar.Statement {
	s := read[c]
	if s == nil {
		s = new(similar.NewStatement(c.Text))
		read[c] = s
	}
	return s
}

// replaces reports whether a note states a later value than another one.
func (read statements) replaces(newer, older *candidate) bool {
	return isLaterNote(newer, older) && read.of(newer).Updates(read.of(older))
}

// mayReplace reports whether a note seems to state a later value than another one that
// is as similar to the question.
func (read statements) mayReplace(newer, older *candidate) bool {
	return math.Abs(newer.similarity-older.similarity) <= similarityWindow &&
		isLaterNote(newer, older) && read.of(newer).SameSubject(read.of(older))
}

// isLaterNote reports whether a note was written later than another one, for the same
// readers, and still holds.
func isLaterNote(newer, older *candidate) bool {
	return newer.Signals.Speaker == "" && older.Signals.Speaker == "" && !newer.isUntrusted() && newer.Validity == validity.Holds &&
		lastChanged(newer.Memory).Sub(lastChanged(older.Memory)) >= leastNewer && sameAudience(newer.Memory, older.Memory)
}

// mark returns the mark of a candidate in the block.
func (c *candidate) mark() string {
	if c.Validity == validity.Holds && c.older {
		return "older"
	}
	return c.Validity.String()
}
