package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

func (a *app) openCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "open ID",
		Args:              argumentCount(1, 1, "the id"),
		ValidArgsFunction: firstArgument(a.completeID),
		RunE: func(c *cobra.Command, args []string) error {
			var file string
			var at int
			err := a.withSession(c.Context(), readsIndex, func(s *session) error {
				m, err := s.Show(c.Context(), memory.ShowRequest{ID: args[0], Workspace: s.Workspace})
				if err == nil && m.Missing {
					err = memory.Conflict("the text is no longer in %s", m.Path).WithHint("memory show %s shows the text", m.ID.Short())
				}
				file, at = filepath.Join(s.Dir, filepath.FromSlash(m.Path)), m.LineStart
				return err
			})
			if err != nil {
				return err
			}
			return a.openEditor(c, file, at)
		},
	}
}

func (a *app) openEditor(c *cobra.Command, file string, at int) error {
	editor := a.editor()
	if editor == "" || !a.terminal || a.json {
		return a.printLine(map[string]any{"file": file, "line": at}, "%s:%d", file, at)
	}
	return a.runEditor(c.Context(), append(strings.Fields(editor), lineArguments(editor, file, at)...))
}

// editor returns the command line of the user's editor; empty: none is set.
func (a *app) editor() string { return cmp.Or(a.env("VISUAL"), a.env("EDITOR")) }

func (a *app) runEditor(ctx context.Context, words []string) error {
	command := exec.CommandContext(ctx, words[0], words[1:]...)
	command.Stdin, command.Stdout, command.Stderr = a.in, a.rawOut, a.rawErr
	err := command.Run()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return memory.Unavailable(err, "the editor %s failed", words[0]).WithHint("VISUAL and EDITOR choose the editor")
	}
	if err != nil {
		return memory.Unavailable(err, "run %s", words[0]).WithHint("set EDITOR to an editor that is installed")
	}
	return nil
}

// lineArguments returns the arguments that make an editor open a file at a line.
// Most editors take +LINE, as vi did; some have their own form.
func lineArguments(editor, file string, at int) []string {
	switch filepath.Base(strings.Fields(editor)[0]) {
	case "code", "codium", "cursor":
		return []string{"--goto", fmt.Sprintf("%s:%d", file, at)}
	case "subl", "zed", "hx", "helix":
		return []string{fmt.Sprintf("%s:%d", file, at)}
	}
	return []string{fmt.Sprintf("+%d", at), file}
}
