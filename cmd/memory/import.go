package main

import (
	"bytes"
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) importCommand() *cobra.Command {
	var r memory.ImportRequest
	var file string
	c := newCommand("import FILE", fileArgument(1, &file), func(c *cobra.Command) error { return a.importFile(c.Context(), file, r) })
	wordFlag(c, &r.Dedupe, memory.ParseDedupe, memory.Dedupes, "dedupe", "what counts as here already: none, id, id_text (default id_text)")
	flags := c.Flags()
	flags.BoolVar(&r.DryRun, "dry-run", false, "check the file, count what would be done, and change nothing")
	flags.BoolVar(&r.Append, "append", false, "append to files that exist, instead of writing new ones beside them")
	return c
}

func (a *app) importFile(ctx context.Context, file string, r memory.ImportRequest) error {
	in, err := a.openInput(file, "file", "memory export FILE writes one")
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // it was only read
	if file == "-" {                  // an export before the pipe may own the index until it has written everything
		src, err := io.ReadAll(in)
		if err != nil {
			return err
		}
		in = io.NopCloser(bytes.NewReader(src))
	}
	return a.withSession(ctx, writesUnless(r.DryRun), func(s *session) error {
		r.Workspace, r.In = s.Workspace, in
		answer, err := s.Import(ctx, r, a.show)
		a.notes(answer.Notices)
		if err := printed(a, display.Imported)(answer, err); err != nil || len(answer.Failed) == 0 {
			return err
		}
		return errFound
	})
}
