package frontmatter

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
)

// Change is the new content of the entry of one memory.
type Change struct {
	ID memory.ID // the entry contains its first 12 digits

	// Quote is the beginning of the memory's current text, as [Quote] returns
	// it. If empty, the entry keeps its quote. A new entry needs one.
	Quote string

	// Declared is the full content of the entry, not an addition: keys that are
	// not set are removed. An entry without content is removed.
	Declared memory.Declared

	// Previous is the entry as [Parse] returned it, if the id does not identify
	// it. A person wrote it without an id, or it was matched by its quote.
	// Usually nil.
	Previous *memory.Entry

	Path   string // the memory's file; only in a decisions file
	Remove bool   // remove the entry, including keys of other programs
}

// prepared is a checked Change with the values to write.
type prepared struct {
	Change
	digits     string // all 32 digits of the id
	shortID    string // the first 12 digits
	hasContent bool
}

func prepare(changes []Change, zone *time.Location) ([]prepared, error) {
	var out []prepared
	var err error
	seen := map[string]bool{}
	for _, c := range changes {
		p := prepared{Change: c, digits: strings.ReplaceAll(string(c.ID), "-", ""), shortID: c.ID.InFile()}
		if len(p.digits) != 32 || strings.Trim(p.digits, "0123456789abcdef") != "" {
			return nil, memory.Invalid("id", "change entry of %q: not a memory id", fields.Truncate(string(c.ID)))
		}
		if seen[p.shortID] {
			return nil, memory.Invalid("id", "change entry of %s: there are two changes for this memory", c.ID.Short())
		}
		seen[p.shortID] = true
		p.Quote = fields.FoldSpaces(strings.ToValidUTF8(c.Quote, "\ufffd"))
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

// normalize returns d with texts as Parse reads them back, or an error if a
// value cannot be written.
func normalize(d memory.Declared) (memory.Declared, error) {
	d.Scope = memory.Scope(fields.FoldSpaces(strings.ToValidUTF8(string(d.Scope), "\ufffd")))
	d.SourceRef = fields.FoldSpaces(strings.ToValidUTF8(d.SourceRef, "\ufffd"))
	var tags []string
	for _, tag := range d.Tags {
		tags = append(tags, strings.ToValidUTF8(tag, "\ufffd"))
	}
	var err error
	d.Tags, err = fields.UniqueWords(tags)
	switch {
	case err != nil && !errors.Is(err, fields.ErrEmpty):
		return d, memory.Invalid("tags", "a memory has at most %d tags of at most %d bytes", fields.MaxTags, fields.MaxValueLen)
	case len(d.Scope) > fields.MaxValueLen:
		return d, memory.Invalid("scope", "a scope has at most %d bytes", fields.MaxValueLen)
	case len(d.SourceRef) > fields.MaxValueLen:
		return d, memory.Invalid("source_ref", "a reference has at most %d bytes", fields.MaxValueLen)
	case d.Importance != nil && !(*d.Importance >= 0 && *d.Importance <= 1):
		return d, memory.Invalid("importance", "importance is a number from 0 to 1")
	}
	return d, nil
}

// hasContent reports whether an entry would hold more than its id and quote.
func hasContent(d memory.Declared, zone *time.Location) bool {
	for _, f := range fields.All {
		if f.Levels&fields.EntryLevel != 0 && f.Write(d, zone) != "" {
			return true
		}
	}
	return false
}

// matchEntries returns for each change the indices of its entries, in order. An
// entry belongs to one change at most. Previous has priority over the id. An id
// that a person shortened to less than 12 digits does not match.
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

// sameIdentity reports whether two entries are about the same memory.
func sameIdentity(a, b memory.Entry) bool {
	return a.IDPrefix == b.IDPrefix && (a.IDPrefix != "" || a.Quote == b.Quote)
}

// NewHead returns front matter that declares d about a whole file; nil: d declares nothing
// that a file can.
func NewHead(d memory.Declared, zone *time.Location) []byte {
	var lines []byte
	for _, f := range fields.All {
		if value := f.Write(d, zone); value != "" && f.Levels&fields.FileLevel != 0 {
			lines = append(lines, f.Key+": "+value+"\n"...)
		}
	}
	if lines == nil {
		return nil
	}
	return slices.Concat([]byte("---\n"), lines, []byte("---\n"))
}
