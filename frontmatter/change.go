package frontmatter

import (
	"errors"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// Change is what a line about one memory is to say from now on.
type Change struct {
	ID memory.ID // the line gets its first 12 digits

	// Quote is the beginning of the memory's text now, as [Quote] makes it. Empty
	// leaves what the line has; a new line needs one.
	Quote string

	// Declared is all that the line is to say, not what is added to it: what it
	// does not hold leaves the line, and a line that says nothing goes.
	Declared memory.Declared

	// Previous is the line as [Parse] gave it, where it is not to be found by the id: a
	// person wrote it without one, or it was matched by its quote. Usually nil.
	Previous *memory.Entry

	Path   string // the memory's file; for a decisions file alone
	Remove bool   // the line goes whatever it says, also what others wrote on it
}

// prepared is a Change that was looked over, with what it comes to in a line.
type prepared struct {
	Change
	digits     string // 32 of them
	shortID    string // 12
	hasContent bool
}

func prepare(changes []Change, zone *time.Location) ([]prepared, error) {
	var out []prepared
	var err error
	seen := map[string]bool{}
	for _, c := range changes {
		p := prepared{Change: c, digits: strings.ReplaceAll(string(c.ID), "-", ""), shortID: c.ID.InFile()}
		if len(p.digits) != 32 || strings.Trim(p.digits, "0123456789abcdef") != "" {
			return nil, memory.Invalid("id", "change line of %q: not the id of a memory", truncate(string(c.ID)))
		}
		if seen[p.shortID] {
			return nil, memory.Invalid("id", "change line of %s: it is asked for twice", c.ID.Short())
		}
		seen[p.shortID] = true
		p.Quote = foldSpaces(strings.ToValidUTF8(c.Quote, "\ufffd"))
		if c.Remove {
			p.Declared = memory.Declared{}
		}
		if p.Declared, err = normalize(p.Declared); err != nil {
			return nil, err
		}
		p.hasContent = hasContent(p.Declared, zone)
		out = append(out, p)
	}
	return out, nil
}

// normalize gives free words as they are read back.
func normalize(d memory.Declared) (memory.Declared, error) {
	d.Scope = memory.Scope(foldSpaces(strings.ToValidUTF8(string(d.Scope), "\ufffd")))
	d.SourceRef = foldSpaces(strings.ToValidUTF8(d.SourceRef, "\ufffd"))
	var tags []string
	for _, tag := range d.Tags {
		tags = append(tags, strings.ToValidUTF8(tag, "\ufffd"))
	}
	var err error
	d.Tags, err = uniqueWords(tags)
	switch {
	case err != nil && !errors.Is(err, errEmpty):
		return d, memory.Invalid("tags", "a list of tags %v", err)
	case len(d.Scope) > maxValueLen:
		return d, memory.Invalid("scope", "a scope has at most %d bytes", maxValueLen)
	case len(d.SourceRef) > maxValueLen:
		return d, memory.Invalid("source_ref", "a reference has at most %d bytes", maxValueLen)
	case d.Importance != nil && !(*d.Importance >= 0 && *d.Importance <= 1):
		return d, memory.Invalid("importance", "importance is a number from 0 to 1")
	}
	return d, nil
}

// hasContent is whether a line would hold more than a name.
func hasContent(d memory.Declared, zone *time.Location) bool {
	for _, f := range fields {
		if f.levels&entryLevel != 0 && f.write(d, zone) != "" {
			return true
		}
	}
	return false
}

// matchEntries says for each change which lines are about its memory, in order. A
// line belongs to one change at most; one named outright comes first. Ids that
// a person shortened are not enough.
func matchEntries(lines []memory.Entry, changes []prepared) [][]int {
	out := make([][]int, len(changes))
	taken := map[int]bool{}
	byID := map[string][]int{}
	for i, e := range lines {
		if len(e.IDPrefix) >= 12 {
			byID[e.IDPrefix[:12]] = append(byID[e.IDPrefix[:12]], i)
		}
	}
	for n, c := range changes {
		for i, e := range lines {
			if c.Previous != nil && e.Line > 0 && !taken[i] && sameIdentity(e, *c.Previous) {
				out[n] = append(out[n], i)
				taken[i] = true
			}
		}
	}
	for n, c := range changes {
		for _, i := range byID[c.shortID] {
			if !taken[i] && strings.HasPrefix(c.digits, lines[i].IDPrefix) {
				out[n] = append(out[n], i)
				taken[i] = true
			}
		}
	}
	return out
}

// sameIdentity says that two lines would be joined into one.
func sameIdentity(a, b memory.Entry) bool {
	return a.IDPrefix == b.IDPrefix && (a.IDPrefix != "" || a.Quote == b.Quote)
}
