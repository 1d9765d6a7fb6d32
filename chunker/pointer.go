package chunker

import (
	"path"
	"strings"

	"github.com/memory-tiered/memory"
)

// IsPointer reports whether a block is an item of an index: one line that begins with a link
// to a Markdown file of the same folder. The file has the memory, and the line only leads to
// it.
func IsPointer(b memory.Block) bool {
	if b.Kind != memory.KindItem || strings.Contains(b.Text, "\n") || !strings.HasPrefix(b.Text, "[") {
		return false
	}
	_, rest, found := strings.Cut(b.Text, "](")
	target, _, closed := strings.Cut(rest, ")")
	target, _, _ = strings.Cut(strings.Trim(target, "<>"), "#")
	return found && closed && strings.EqualFold(path.Ext(target), ".md") && !path.IsAbs(target) && !strings.Contains(target, ":")
}
