package frontmatter

import (
	"bytes"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
)

// EmptyHead returns the front matter of a file, with its delimiters, if it has some
// and nothing is in it. Otherwise it returns nil.
func EmptyHead(src []byte) []byte {
	r := parse(src, time.UTC, false)
	if r.Format != fields.YAML || r.ReadOnlyReason != "" || len(bytes.TrimSpace(r.bounds.raw(src))) > 0 {
		return nil
	}
	return src[len(byteOrderMark(src)):r.BodyStart]
}

// HasHead reports whether a file has front matter.
func HasHead(src []byte) bool { return parse(src, time.UTC, false).Format != fields.None }

// WithHead puts front matter, as [EmptyHead] returned it, before a file without any.
func WithHead(src, head []byte) []byte {
	bom := len(byteOrderMark(src))
	return slices.Concat(src[:bom], head, src[bom:])
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
