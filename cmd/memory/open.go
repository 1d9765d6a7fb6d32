package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/browse"
)

func (a *app) openCommand() *cobra.Command {
	var id string
	return newCommand("open ID", a.idArgument(&id), func(c *cobra.Command) error {
		var file string
		var at int
		err := a.withSession(c.Context(), readsIndex, func(s *session) error {
			if s.Remote {
				return errOnServer()
			}
			m, err := s.Show(c.Context(), memory.ShowRequest{ID: id, Workspace: s.Workspace})
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
	})
}

func (a *app) openEditor(c *cobra.Command, file string, at int) error {
	editor := a.editor()
	if editor == "" || !a.terminal || a.json {
		return a.printLine(map[string]any{"file": file, "line": at}, "%s:%d", file, at)
	}
	command := editorCommand(c.Context(), editor, file, at)
	command.Stdin, command.Stdout, command.Stderr = a.in, a.rawOut, a.rawErr
	if err := command.Run(); err != nil {
		return memory.Unavailable(err, "run %s", editor).WithHint("VISUAL and EDITOR choose the editor")
	}
	return nil
}

// editor returns the command line of the user's editor; empty: none is set.
func (a *app) editor() string { return cmp.Or(a.env("VISUAL"), a.env("EDITOR")) }

// editorCommand returns the program that shows a line of a file.
func editorCommand(ctx context.Context, editor, file string, at int) *exec.Cmd {
	words := append(strings.Fields(editor), lineArguments(editor, file, at)...)
	return exec.CommandContext(ctx, words[0], words[1:]...)
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

func (a *app) browseCommand() *cobra.Command {
	return &cobra.Command{
		Use:  "browse [QUERY]",
		Args: argumentCount(0, -1, ""),
		RunE: func(c *cobra.Command, args []string) error {
			if !a.terminal || a.json || a.env("TERM") == "dumb" {
				return memory.Invalid("", "browse needs a terminal").WithHint("memory search QUERY prints the hits")
			}
			return a.browse(c.Context(), strings.Join(args, " "))
		},
	}
}

// browse shows the screen. The first session may show progress and notes; later ones write
// nothing beside the screen.
func (a *app) browse(ctx context.Context, query string) error {
	var dir string
	err := a.withSession(ctx, readsIndex, func(s *session) error {
		dir = s.Dir
		if s.Remote {
			return errOnServer()
		}
		return nil
	})
	if err != nil {
		return err
	}
	notes := a.err
	a.err, a.terminal = io.Discard, false
	defer func() { a.err, a.terminal = notes, true }()
	return browse.Run(ctx, browse.Options{
		In: a.in, Out: a.rawOut, Environ: a.environ, Query: query,
		Call: func(ctx context.Context, writes bool, run func(api.Backend, string) error) error {
			return a.withSession(ctx, writesUnless(!writes), func(s *session) error { return run(s, s.Workspace) })
		},
		Open: func(ctx context.Context, m memory.Memory) *exec.Cmd {
			viewer := cmp.Or(a.editor(), a.env("PAGER"), "less")
			return editorCommand(ctx, viewer, filepath.Join(dir, filepath.FromSlash(m.Path)), m.LineStart)
		},
	})
}
