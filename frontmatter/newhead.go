package frontmatter

import (
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
)

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
