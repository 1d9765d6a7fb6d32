package chunker

import (
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
)

// RemoveFields removes the texts beside that of the block for which isGone returns true. heading
// is the heading path above them. It reports whether there are any.
func RemoveFields(b *memory.Block, isGone func(text string, heading []string) bool) (found bool) {
	b.Heading = slices.Clone(b.Heading)
	for i, heading := range b.Heading {
		if isGone(heading, b.Heading[:i]) {
			b.Heading[i], found = fields.Removed, true
		}
	}
	isGoneHere := func(text string) bool { return isGone(text, b.Heading) }
	known := len(b.Links) + len(b.Triggers)
	b.Links, b.Triggers = slices.DeleteFunc(slices.Clone(b.Links), isGoneHere), slices.DeleteFunc(slices.Clone(b.Triggers), isGoneHere)
	found = found || len(b.Links)+len(b.Triggers) < known
	return fields.Remove(&b.Annotations, isGoneHere) || found
}
