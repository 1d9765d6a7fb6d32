package recall

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory/internal/alignment"
	"github.com/memory-tiered/memory/recall/dates"
	"github.com/memory-tiered/memory/recall/question"
	"github.com/memory-tiered/memory/recall/validity"
)

// maxCompared bounds the memories that are compared for other values: each pair is
// read, and a block of notes seldom has more.
const maxCompared = 10

// leastNewer is how much newer a memory must be to count as a later statement. Texts
// of one day were often written together.
const leastNewer = 24 * time.Hour

// A question that names the old value ("Is it the Blue Room?") shares few words with the
// new one, which is seldom among the best then. So a later statement is looked for among
// more candidates, for the memories that answer the question most likely. Each candidate is
// compared, which takes 3 µs.
const (
	maxAnswers    = 3
	maxSuccessors = 30
)

// changeWindow is how far the similarities of two notes may be apart if the newer one only
// contradicts the older one. It may replace it.
const changeWindow = 0.1

// addNewer adds to the memories of a block the later statements that replace them, which
// the question itself did not find. all has the candidates that may be injected, best
// first. A question about a past time gets the value of that time alone.
func addNewer(found, all []*candidate, in question.Intent, read statements) (with []*candidate) {
	if in.WantsPast {
		return found
	}
	all, times := all[:min(maxSuccessors, len(all))], in.PastTimes()
	for i, c := range found {
		if i < maxAnswers && c.Signals.Speaker == "" {
			for _, newer := range all {
				if !heldAt(times, newer, c) && read.replaces(newer, c) && !slices.Contains(found, newer) && !slices.Contains(with, newer) {
					with = append(with, newer)
					break
				}
			}
		}
		with = append(with, c)
	}
	return with
}

// newerFirst puts a memory before an older one that states another value of the
// same subject ("port 8080", then "moved to port 8081"). It marks the older one. Both
// stay. If only the similarity decided between two values, the newer one comes first
// without a mark. A question about a past time gets them the other way round, and the
// value of that time has no mark. Talk is left as it is: there both often happened. found
// is in the order of the ranking; it is not changed.
func newerFirst(found []*candidate, in question.Intent, read statements) []*candidate {
	sorted, times := slices.Clone(found), in.PastTimes()
	goesBefore := func(a, b *candidate) bool {
		switch {
		case in.WantsPast:
			return read.replaces(b, a)
		case heldAt(times, b, a):
			return read.replaces(b, a)
		}
		return !heldAt(times, a, b) && (read.replaces(a, b) || read.mayReplace(a, b))
	}
	n := min(maxCompared, len(sorted))
	for i := 1; i < n; i++ {
		for k := range i {
			if c := sorted[i]; goesBefore(c, sorted[k]) {
				copy(sorted[k+1:i+1], sorted[k:i])
				sorted[k] = c
				break
			}
		}
	}
	for i, c := range sorted[:n] {
		if slices.ContainsFunc(sorted[:n], func(newer *candidate) bool { return !heldAt(times, newer, c) && read.replaces(newer, c) }) {
			marked := *c // a copy, because the candidate belongs to the caller
			marked.older = true
			sorted[i] = &marked
		}
	}
	return sorted
}

// heldAt reports whether the older of two statements held at one of the times. That is the
// case if it was written by then, and the newer one later.
func heldAt(times []dates.Span, newer, older *candidate) bool {
	return slices.ContainsFunc(times, func(s dates.Span) bool {
		return !s.To.IsZero() && lastChanged(older.Memory).Before(s.To) && !lastChanged(newer.Memory).Before(s.To)
	})
}

// statements keeps the statements of candidates that were compared. Reading a long text
// for each pair would take longer than the search.
type statements map[*candidate]*alignment.Text

func (read statements) of(c *candidate) *alignment.Text {
	s := read[c]
	if s == nil {
		text, _ := validity.WithoutStruck(c.Text)
		s = alignment.Read(text)
		read[c] = s
	}
	return s
}

// replaces reports whether a note states a later value than another one.
func (read statements) replaces(newer, older *candidate) bool {
	return isLaterNote(newer, older) && alignment.Compare(read.of(newer), read.of(older)) == alignment.Replaces
}

// mayReplace reports whether a note may state a later value than another one that is about as
// similar to the question.
func (read statements) mayReplace(newer, older *candidate) bool {
	return math.Abs(newer.similarity-older.similarity) <= changeWindow && isLaterNote(newer, older) &&
		alignment.Compare(read.of(newer), read.of(older)) == alignment.Contradicts
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
	if _, partly := validity.WithoutStruck(c.Text); partly && c.Validity != validity.Outdated {
		return strings.TrimPrefix(c.Validity.String()+", partly outdated", ", ")
	}
	return c.Validity.String()
}
