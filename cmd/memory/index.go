package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/internal/folder"
)

func (a *app) indexCommand() *cobra.Command {
	var r memory.IndexRequest
	c := &cobra.Command{
		Use:  "index [PATH…]",
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			return a.withoutRefresh(c.Context(), writesIndex, func(s *session) (err error) {
				r.Workspace = s.Workspace
				if r.Paths, err = workspacePaths(s.Dir, args); err != nil {
					return err
				}
				answer, err := s.Index(c.Context(), r, a.show)
				if err == nil {
					a.noteAbsent(s.Dir, r.Paths)
				}
				return printed(a, printIndexed)(answer, err)
			})
		},
	}
	c.Flags().BoolVar(&r.Force, "force", false, "rebuild everything that is derived from the Markdown")
	return c
}

// noteAbsent reports the named paths that are not on disk. That is no error: what was
// indexed of them is gone now.
func (a *app) noteAbsent(dir string, paths []string) {
	for _, path := range paths {
		if !exists(filepath.Join(dir, filepath.FromSlash(path))) {
			a.note("there is no file or folder %s in the workspace", display.Name(path))
		}
	}
}

// workspacePaths makes paths of the command line relative to the workspace. A path
// that does not exist in the current folder is relative to the workspace's folder.
func workspacePaths(dir string, args []string) ([]string, error) {
	var paths []string
	for _, arg := range args {
		path := arg
		if !filepath.IsAbs(arg) {
			path = filepath.Join(dir, arg)
			if abs, err := filepath.Abs(arg); err == nil && exists(abs) {
				path = abs
			}
		}
		rel, err := filepath.Rel(folder.RealPath(dir), realParent(path))
		if err != nil || !filepath.IsLocal(rel) {
			return nil, memory.Invalid("paths", "%s is outside the workspace %s", arg, dir).WithHint("name files and folders in the workspace")
		}
		paths = append(paths, filepath.ToSlash(rel))
	}
	return paths, nil
}

// realParent resolves the symbolic links of a file's folder. The file itself may be
// missing, or a link.
func realParent(path string) string {
	return filepath.Join(folder.RealPath(filepath.Dir(path)), filepath.Base(path))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func printIndexed(w io.Writer, answer memory.IndexAnswer) {
	fmt.Fprintf(w, "%s: %d memories in %d files (%d added, %d edited, %d moved, %d missing, %d unchanged; %d embedded) in %.0f ms\n",
		answer.Workspace, answer.Memories, answer.Files, answer.Added, answer.Edited, answer.Moved, answer.Missing,
		answer.Unchanged, answer.Embedded, answer.TookMS)
	if answer.Pending > 0 {
		fmt.Fprintf(w, "pending: %d texts have no vector yet; keyword search finds them. The service or the next command continues. The reason: %s\n", answer.Pending, answer.PendingReason)
	}
	for _, f := range answer.Faults {
		fmt.Fprintf(w, "fault: %s\n", faultText(f))
	}
}

func faultText(f memory.Fault) string {
	if f.Line == 0 {
		return display.Name(f.Path) + ": " + f.Message
	}
	return fmt.Sprintf("%s:%d: %s", display.Name(f.Path), f.Line, f.Message)
}
