package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// DefaultCoverageEntries is how many names Coverage reads. It takes about 0.2 s, and
// a folder of notes has fewer.
const DefaultCoverageEntries = 100_000

// Coverage counts the Markdown files below the folder that are memories, and those
// that no pattern matches. It leaves out what is never indexed: hidden files and
// folders, node_modules, ignored files. It reads at most maxEntries names, and stops when
// ctx ends; the counts are lower limits then.
func (w *Workspace) Coverage(ctx context.Context, maxEntries int) (counted memory.Coverage, err error) {
	root, err := w.openRoot()
	if err != nil {
		return counted, err
	}
	left := maxEntries
	err = fs.WalkDir(root.FS(), ".", func(name string, item fs.DirEntry, err error) error {
		switch {
		case name == ".":
			return err
		case ctx.Err() != nil || left <= 0:
			counted.More = true
			return fs.SkipAll
		case err != nil:
			return fs.SkipDir // a folder that vanished, or cannot be read
		case item.IsDir() && (w.excluded(name, true) || strings.Count(name, "/") >= maxDepth):
			return fs.SkipDir
		}
		left--
		if !item.Type().IsRegular() || !w.reads(name) || !utf8.ValidString(name) || w.excluded(name, false) {
			return nil
		}
		if w.includeFor(name) != nil || w.IsLinked(name) {
			counted.Files++
			return nil
		}
		counted.NotCovered++
		if e := counted.Example; e == "" || strings.Count(name, "/") < strings.Count(e, "/") {
			counted.Example = name
		}
		return nil
	})
	if err != nil {
		return counted, w.missingError(err)
	}
	return counted, nil
}

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
