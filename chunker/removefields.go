package chunker

import (
	"slices"

	"github.com/memory-tiered/memory"
)

// RemoveFields removes the texts beside that of the block for which isGone returns true. heading
// is the heading path above them. It reports whether there are any.
func RemoveFields(b *memory.Block, isGone func(text string, heading []string) bool) (found bool) {
	b.Heading = slices.Clone(b.Heading)
	for i, heading := range b.Heading {
		if isGone(heading, b.Heading[:i]) {
			b.Heading[i], found = removed, true
		}
	}
	isGoneHere := func(text string) bool { return isGone(text, b.Heading) }
	known := len(b.Links) + len(b.Triggers)
	b.Links, b.Triggers = slices.DeleteFunc(slices.Clone(b.Links), isGoneHere), slices.DeleteFunc(slices.Clone(b.Triggers), isGoneHere)
	found = found || len(b.Links)+len(b.Triggers) < known
	return RemoveDeclared(&b.Annotations, isGoneHere) || found
}

// removed takes the place of a heading or a scope that is removed: without a scope, every request
// would match.
const removed = "…"

// RemoveDeclared removes the texts of a declaration for which isGone returns true. It reports
// whether there are any.
func RemoveDeclared(d *memory.Declared, isGone func(string) bool) (found bool) {
	tags := slices.DeleteFunc(slices.Clone(d.Tags), isGone)
	found = len(tags) < len(d.Tags)
	if d.Tags = tags; isGone(string(d.Scope)) {
		d.Scope, found = removed, true
	}
	if isGone(d.SourceRef) {
		d.SourceRef, found = "", true
	}
	return found
}
