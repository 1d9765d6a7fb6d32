package workspace

import (
	"fmt"
	"strings"

	"github.com/memory-tiered/memory"
)

// Patterns lists the patterns of the files beside MEMORY.md, USER.md and memory/.
func (o Options) Patterns() []string {
	patterns := []string{}
	for _, g := range o.Globs {
		patterns = append(patterns, g.Pattern)
	}
	return patterns
}

// NotIndexed reports how many Markdown files of a folder no pattern matches, with the
// command that includes them. It names no file. A nil c is not known.
func NotIndexed(dir string, c *memory.Coverage) []string {
	if c == nil || c.NotCovered == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d Markdown files of the folder are not indexed, because no pattern matches them; %s includes them",
		c.NotCovered, IncludeCommand(dir))}
}

// IncludeCommand returns the command that indexes every Markdown file of a folder.
func IncludeCommand(dir string) string { return "memory workspace add " + ShellQuote(dir) + " --all" }

// ShellQuote quotes a path for a command that a person copies.
func ShellQuote(path string) string {
	if strings.ContainsAny(path, " '\"\\$") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}
