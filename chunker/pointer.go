package chunker

import (
	"path"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// Below returns a layout whose memories are below one more heading: what the client of an
// agent writes about the file. Its properties are no memory then.
func (l Layout) Below(heading string) Layout {
	l.Properties = nil
	if heading == "" {
		return l
	}
	l.Blocks = slices.Clone(l.Blocks)
	for i := range l.Blocks {
		l.Blocks[i].Heading = slices.Concat([]string{heading}, l.Blocks[i].Heading)
	}
	return l
}

// IsPointer reports whether a block is an item of an index. Such an item is one line, and
// begins with a link to a Markdown file of the same folder, which has the memory.
func IsPointer(b memory.Block) bool {
	if b.Kind != memory.KindItem || strings.Contains(b.Text, "\n") || !strings.HasPrefix(b.Text, "[") {
		return false
	}
	_, rest, found := strings.Cut(b.Text, "](")
	target, _, closed := strings.Cut(rest, ")")
	target, _, _ = strings.Cut(strings.Trim(target, "<>"), "#")
	return found && closed && strings.EqualFold(path.Ext(target), ".md") && !path.IsAbs(target) && !strings.Contains(target, ":")
}
