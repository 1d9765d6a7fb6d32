package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) importCommand() *cobra.Command {
	var r memory.ImportRequest
	c := &cobra.Command{
		Use:  "import FILE",
		Args: argumentCount(1, 1, "FILE"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
	}
	wordFlag(c, &r.Dedupe, memory.ParseDedupe, memory.Dedupes, "dedupe", "what counts as here already: none, id, id_text (default id_text)")
	flags := c.Flags()
	flags.BoolVar(&r.DryRun, "dry-run", false, "check the file, count what would be done, and change nothing")
	flags.BoolVar(&r.Append, "append", false, "append to files that exist, instead of writing new ones beside them")
	c.RunE = func(c *cobra.Command, args []string) error {
		in, err := a.openInput(args[0], "file", "memory export FILE writes one")
		if err != nil {
			return err
		}
		defer func() { _ = in.Close() }() // it was only read
		return a.withSession(c.Context(), writesUnless(r.DryRun), func(s *session) error {
			r.Workspace, r.In = s.Workspace, in
			answer, err := s.Import(c.Context(), r, a.show)
			a.endProgress()
			if err != nil {
				return err
			}
			a.notes(answer.Notices)
			if err := printAnswer(a, answer, printImport); err != nil {
				return err
			}
			if len(answer.Failed) > 0 {
				return errFound
			}
			return nil
		})
	}
	return c
}

// maxFailuresShown is the number of failures that are printed, a screen at most.
const maxFailuresShown = 20

func printImport(w io.Writer, a memory.ImportAnswer) {
	if a.DryRun {
		fmt.Fprint(w, "nothing was changed; an import would give: ")
	}
	counts := []string{fmt.Sprintf("%d added", a.Added), fmt.Sprintf("%d updated", a.Updated), fmt.Sprintf("%d unchanged", a.Unchanged)}
	for _, more := range []struct {
		n    int
		text string
	}{{a.Duplicates, "of these %d with the text of another memory"}, {a.Destroyed, "%d destroyed here before and left out"},
		{a.NoText, "%d not here, and the export has no text of them"}, {len(a.Failed), "%d failed"}} {
		if more.n > 0 {
			counts = append(counts, fmt.Sprintf(more.text, more.n))
		}
	}
	fmt.Fprintln(w, strings.Join(counts, ", "))
	for i, f := range a.Failed {
		if i == maxFailuresShown {
			fmt.Fprintf(w, "  and %d more; --json lists all\n", len(a.Failed)-i)
			break
		}
		fmt.Fprintf(w, "  line %d: %s\n", f.Line, f.Message)
	}
	for _, name := range a.Files {
		fmt.Fprintf(w, "  written: %s\n", display.Name(name))
	}
}
