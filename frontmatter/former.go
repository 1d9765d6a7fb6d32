package frontmatter

import (
	"bytes"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
)

// ListLines returns the lines of a file's list of entries, with its key. It returns nil if the
// file has none.
func ListLines(src []byte) []byte {
	r := parse(src, time.UTC, false)
	l, _ := findLayout(r.root, r.bounds.raw(src))
	return bytes.Join(l.lines[l.from:l.to], nil)
}

// SetAs is [Set], but the list of entries gets the lines of [ListLines]. It returns a conflict if
// these do not mean what the changes declare. An entry without an id is known by its quote.
func SetAs(src []byte, zone *time.Location, changes []Change, list []byte) ([]byte, error) {
	before := parse(src, zone, false)
	todo, err := prepare(changes, before.zone)
	if err != nil {
		return nil, err
	}
	l, reason := findLayout(before.root, before.bounds.raw(src))
	if reason != "" || l.key == nil {
		return nil, refusal("it has no list of entries", nil)
	}
	after := slices.Concat(src[:before.bounds.start], bytes.Join(l.lines[:l.from], nil), list, bytes.Join(l.lines[l.to:], nil), src[before.bounds.end:])
	written := slices.Clone(todo)
	for i := range written {
		written[i].Previous = &memory.Entry{Quote: todo[i].Quote}
	}
	if reason := verify(src, before, after, todo, written); reason != "" {
		return nil, refusal(reason, nil)
	}
	return after, nil
}

// Reverse returns the changes that reverse others, which were not applied to src yet.
func Reverse(src []byte, zone *time.Location, changes []Change) []Change {
	r := parse(src, zone, false)
	todo, err := prepare(changes, r.zone)
	if err != nil {
		return nil
	}
	reverse := make([]Change, len(todo))
	for i, lines := range matchEntries(r.rawEntries, todo) {
		reverse[i] = Change{ID: todo[i].ID, Remove: len(lines) == 0}
		for _, n := range lines {
			reverse[i].Quote, reverse[i].Declared = r.rawEntries[n].Quote, r.rawEntries[n].Declared
		}
	}
	return reverse
}
