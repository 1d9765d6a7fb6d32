// Package place writes where a text is, for people and for models.
package place

import (
	"fmt"
	"path"
	"strings"

	"github.com/memory-tiered/memory"
)

// Of returns the place of a memory: "path:12", "path:12-15", in a PDF "path, page 3", and in HTML "path".
func Of(m memory.Memory) string {
	lines := fmt.Sprint(m.LineStart)
	if m.LineEnd > m.LineStart {
		lines += fmt.Sprintf("-%d", m.LineEnd)
	}
	switch strings.ToLower(path.Ext(m.Path)) {
	case ".pdf":
		return m.Path + ", page " + lines
	case ".html", ".htm": // the lines are not those of the file
		return m.Path
	}
	return m.Path + ":" + lines
}
