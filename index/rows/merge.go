package rows

import (
	"slices"

	"github.com/memory-tiered/memory"
)

// Merge merges all entries about a memory into one declaration. Entries of
// its own file come first, then the others by path. The memory is forgotten if
// any entry forgets it, and private if an entry of another file makes it so.
func Merge(entries []Entry, ownPath string) (d memory.Declared) {
	slices.SortStableFunc(entries, func(a, b Entry) int { return pathOrder(a, ownPath) - pathOrder(b, ownPath) })
	for _, e := range entries {
		d = d.Over(e.Declared)
	}
	found := false
	for _, e := range entries {
		if !e.Declared.Forgets() {
			continue
		}
		if !found {
			d.Forgotten, d.ForgottenAt, d.Only, found = e.Declared.Forgotten, e.Declared.ForgottenAt, e.Declared.Only, true
		}
		d.Only = d.Only && e.Declared.Only
	}
	d.Private = mergePrivate(entries, ownPath)
	return d
}

// mergePrivate merges what entries declare about private. private: false lifts
// only what its own file declares, so it counts in an entry of that file only.
func mergePrivate(entries []Entry, ownPath string) (private *bool) {
	for _, e := range entries {
		d := e.Declared
		if d.Private == nil || !*d.Private && !e.isIn(ownPath) {
			continue
		}
		if private == nil || *d.Private && !e.isIn(ownPath) {
			private = d.Private
		}
	}
	return private
}

// isIn reports whether an entry counts as one of a file: it is there, or in the
// decisions file and names it.
func (e Entry) isIn(path string) bool {
	return e.Path == path || e.Path == memory.DecisionsFile && (e.AboutPath == path || e.AboutPath == "")
}

func pathOrder(e Entry, ownPath string) int {
	if e.Path == ownPath {
		return 0
	}
	return 1
}

// isRestored reports whether an entry declares this one memory not forgotten,
// which overrides a mark on every copy of its text.
func isRestored(entries []Entry) bool {
	restored := false
	for _, e := range entries {
		if e.Declared.Forgets() {
			return false
		}
		restored = restored || e.Declared.Forgotten != nil
	}
	return restored
}
