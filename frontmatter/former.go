package frontmatter

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
)

// Head returns the front matter of a file with its delimiters. That of a decisions file is the
// whole file.
func Head(src []byte, decisionsFile bool) []byte {
	return src[:parse(src, time.UTC, decisionsFile).BodyStart]
}

// WithHead returns a file with a head that it had before. ok is false if that means something
// else than its own head. Quotes of two lengths mean the same.
func WithHead(src []byte, zone *time.Location, head []byte, decisionsFile bool) (after []byte, ok bool) {
	now := parse(src, zone, decisionsFile)
	after = slices.Concat(head, src[now.BodyStart:])
	then := parse(after, zone, decisionsFile)
	ok = then.ReadOnlyReason == "" && bytes.Equal(after[then.BodyStart:], src[now.BodyStart:]) &&
		slices.EqualFunc(otherKeys(then.root), otherKeys(now.root), sameNode) && now.hasSameEntries(then.Entries)
	return after, ok
}

// hasSameEntries reports whether other entries mean the same, in any order.
func (r *parser) hasSameEntries(others []memory.Entry) bool {
	others = slices.Clone(others)
	for _, e := range r.Entries {
		i := slices.IndexFunc(others, func(other memory.Entry) bool { return r.isSameEntry(e, other) })
		if i < 0 {
			return false
		}
		others = slices.Delete(others, i, i+1)
	}
	return len(others) == 0
}

func (r *parser) isSameEntry(a, b memory.Entry) bool {
	startsWith := func(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) }
	isOther := func(f fields.Field) bool {
		return f.Levels&fields.EntryLevel != 0 && f.Write(a.Declared, r.zone) != f.Write(b.Declared, r.zone)
	}
	return a.Unread == b.Unread && startsWith(a.IDPrefix, b.IDPrefix) && startsWith(a.Path, b.Path) &&
		startsWith(strings.ToLower(a.Quote), strings.ToLower(b.Quote)) && !slices.ContainsFunc(fields.All, isOther)
}

// Reverse returns the changes that reverse others, which were not applied to src yet. They have
// the quotes of these.
func Reverse(src []byte, zone *time.Location, changes []Change, decisionsFile bool) []Change {
	r := parse(src, zone, decisionsFile)
	todo, err := prepare(changes, r.zone)
	if err != nil {
		return nil
	}
	reverse := make([]Change, len(todo))
	for i, lines := range matchEntries(r.rawEntries, todo) {
		reverse[i] = Change{ID: todo[i].ID, Remove: len(lines) == 0}
		for _, n := range lines {
			e := r.rawEntries[n]
			reverse[i].Quote, reverse[i].Declared, reverse[i].Path = cmp.Or(todo[i].Quote, e.Quote), e.Declared, cmp.Or(todo[i].Path, e.Path)
		}
	}
	return reverse
}
