package display

import (
	"fmt"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/workspace"
)

// NotCovered reports how many Markdown files are not memories.
func NotCovered(dir string, c memory.Coverage) string {
	text := fmt.Sprintf("%s has %s that no pattern matches, such as %s", Name(dir), NotMatched(c), Name(c.Example))
	text += NoTopicsReason(c)
	if c.Files == 0 && !c.More {
		text += "; no file is indexed"
	}
	return text
}

// NotMatched returns how many files are not covered.
func NotMatched(c memory.Coverage) string {
	switch {
	case c.More:
		return fmt.Sprintf("more than %d Markdown files", c.NotCovered)
	case c.NotCovered == 1:
		return "1 Markdown file"
	}
	return fmt.Sprintf("%d Markdown files", c.NotCovered)
}

// NoTopicsReason returns why the files beside MEMORY.md are not memories, if they could be.
func NoTopicsReason(c memory.Coverage) string {
	if c.Reason == "" {
		return ""
	}
	return fmt.Sprintf("; because of %s, those beside MEMORY.md are no topic files", Name(c.Reason))
}

// filesText returns how many Markdown files are memories.
func filesText(c memory.Coverage) string {
	least := ""
	if c.More {
		least = "at least "
	}
	if c.Files == 1 {
		return least + "1 Markdown file"
	}
	return fmt.Sprintf("%s%d Markdown files", least, c.Files)
}

// Coverage returns what the patterns of a workspace match, on one line.
func Coverage(c memory.Coverage, globs []string) string {
	text := filesText(c)
	if len(globs) > 0 {
		text += ", patterns " + strings.Join(globs, ", ")
	}
	if c.NotCovered > 0 {
		count, _, _ := strings.Cut(NotMatched(c), " Markdown")
		text += fmt.Sprintf("; %s not matched by a pattern", count)
	}
	return text
}

// IncludeHint names the commands that index the files that no pattern matches.
func IncludeHint(dir string) string {
	return Name(workspace.IncludeCommand(dir)) + " indexes all of them; --glob PATTERN instead of --all indexes some"
}
