package display

import (
	"fmt"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/workspace"
)

// NotIndexed describes the files that are not memories, with the command that includes them.
func NotIndexed(dir string, c memory.Coverage) string {
	return fmt.Sprintf("%s that no pattern matches, such as %s (%s includes them)",
		filesText(c.NotCovered, c.More, "Markdown file"), Name(c.Example), Name(workspace.IncludeCommand(dir)))
}

// Coverage returns what the patterns of a workspace match, on one line. client is that of the
// workspace.
func Coverage(c memory.Coverage, globs []string, client string) string {
	kind := "Markdown file"
	if client == workspace.ClientDocuments {
		kind = "document"
	}
	text := filesText(c.Files, c.More, kind)
	if len(globs) > 0 {
		text += ", patterns " + strings.Join(globs, ", ")
	}
	if c.NotCovered > 0 {
		text += fmt.Sprintf("; %d not matched by a pattern", c.NotCovered)
	}
	return text
}

// filesText returns a number of files, of which there may be more.
func filesText(n int, more bool, kind string) string {
	least := ""
	if more {
		least = "at least "
	}
	if n == 1 {
		return least + "1 " + kind
	}
	return fmt.Sprintf("%s%d %ss", least, n, kind)
}
