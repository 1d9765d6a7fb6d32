package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// DefaultCoverageEntries is how many names Coverage reads. It takes about 0.2 s, and
// a folder of notes has fewer.
const DefaultCoverageEntries = 100_000

// coverageBatch is how many names of a folder are read at once.
const coverageBatch = 1000

// Coverage counts the Markdown files below the folder that are memories, and those
// that no pattern matches. It leaves out what is never indexed: hidden files and
// folders, node_modules, ignored files. It reads at most maxEntries names, folders
// near the top first, and stops when ctx ends; the counts are lower limits then.
func (w *Workspace) Coverage(ctx context.Context, maxEntries int) (memory.Coverage, error) {
	root, err := w.openRoot()
	if err != nil {
		return memory.Coverage{}, err
	}
	c := coverage{w: w, root: root, left: maxEntries}
	for folders := []string{"."}; len(folders) > 0 && !c.counted.More; folders = folders[1:] {
		below, err := c.folder(ctx, folders[0])
		if err != nil {
			return memory.Coverage{}, w.missingError(err)
		}
		folders = append(folders, below...)
	}
	if c.besideMemory {
		c.counted.Reason = w.topics.Load().reason
	}
	return c.counted, nil
}

// coverage is a count under way.
type coverage struct {
	w       *Workspace
	root    *os.Root
	left    int // names that may still be read
	counted memory.Coverage

	besideMemory bool // a file at the top is not covered
}

// folder counts the files of a folder, and returns the folders in it. It fails only
// for the top folder; others may vanish or be unreadable.
func (c *coverage) folder(ctx context.Context, name string) (folders []string, err error) {
	f, err := c.root.Open(name)
	if err != nil {
		if name == "." {
			return nil, err
		}
		return nil, nil
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for {
		if ctx.Err() != nil || c.left <= 0 {
			c.counted.More = true
			return folders, nil
		}
		listed, err := f.ReadDir(min(coverageBatch, c.left))
		c.left -= len(listed)
		for _, item := range listed {
			if below := path.Join(name, item.Name()); item.IsDir() {
				if !c.w.excluded(below, true) && strings.Count(below, "/") < maxDepth {
					folders = append(folders, below)
				}
			} else {
				c.file(item, below)
			}
		}
		if err != nil {
			return folders, ignoreEnd(err, name)
		}
	}
}

// ignoreEnd returns an error of the top folder that is not its end.
func ignoreEnd(err error, name string) error {
	if errors.Is(err, io.EOF) || name != "." {
		return nil
	}
	return err
}

func (c *coverage) file(item fs.DirEntry, name string) {
	if !item.Type().IsRegular() || !isMarkdown(name) || !utf8.ValidString(name) || c.w.excluded(name, false) {
		return
	}
	if c.w.includeFor(name) != nil {
		c.counted.Files++
		return
	}
	if c.w.IsLinked(name) {
		c.counted.Files++
		return
	}
	c.counted.NotCovered++
	c.besideMemory = c.besideMemory || !strings.Contains(name, "/")
	if e := c.counted.Example; e == "" || strings.Count(name, "/") == strings.Count(e, "/") && name < e {
		c.counted.Example = name
	}
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
