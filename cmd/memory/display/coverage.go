package display

import (
	"fmt"
	"io"
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

// Scan prints in which files a search for destroyed texts found one, and which it could not read.
func Scan(w io.Writer, scan memory.VerifyAnswer) {
	unread := 0
	for _, c := range scan.Checked {
		switch {
		case c.Found && c.At == nil:
			fmt.Fprintf(w, "STILL IN  %s (%s)\n", Name(c.File), c.Note)
		case c.Found && c.Note != "":
			fmt.Fprintf(w, "STILL IN  %s at byte %d (%s)\n", Name(c.File), *c.At, c.Note)
		case c.Found:
			fmt.Fprintf(w, "STILL IN  %s at byte %d\n", Name(c.File), *c.At)
		case !c.Found && c.Note != "":
			unread++
			fmt.Fprintf(w, "unread    %s: %s\n", Name(c.File), c.Note)
		}
	}
	result := "0 bytes of the text are left"
	if scan.Found > 0 {
		result = fmt.Sprintf("%d of them still contain the text", scan.Found)
	}
	fmt.Fprintf(w, "searched %d files: %s\n", len(scan.Checked)-unread, result)
}

// Embedding returns the model that serves a workspace, and how far a change of it is.
func Embedding(e memory.EmbeddingStats) string {
	text := servingText(e)
	if n := e.Next; n != nil {
		text += fmt.Sprintf("; %s is filled in the background: %d of %d texts", n.Model, n.Done, n.Total)
		if n.Error != "" {
			text += " (" + n.Error + ")"
		}
		if n.Waiting != "" {
			text += ", waits: " + n.Waiting
		}
	}
	return text
}

func servingText(e memory.EmbeddingStats) string {
	switch {
	case e.Dim == 0 && e.Error != "":
		return e.Provider + ": keyword search only: " + e.Error
	case e.Dim == 0:
		return e.Provider + ": keyword search only"
	case e.Error != "" && e.Pending == 0:
		return fmt.Sprintf("%s, %d dimensions: %s", e.Model, e.Dim, e.Error)
	case e.Error != "":
		return fmt.Sprintf("%s, %d dimensions, %d pending: %s", e.Model, e.Dim, e.Pending, e.Error)
	case e.Pending > 0:
		return fmt.Sprintf("%s, %d dimensions, %d pending", e.Model, e.Dim, e.Pending)
	}
	return fmt.Sprintf("%s, %d dimensions", e.Model, e.Dim)
}
