package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

func (a *app) showCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "show ID",
		Short:             "show one memory with all that is known of it",
		Example:           "  memory show 3f8a91c2\n  memory show 3f8a --json",
		Args:              arguments(1, 1, "the id"),
		ValidArgsFunction: a.completeID,
		RunE: func(c *cobra.Command, args []string) error {
			return a.with(c.Context(), reads, func(s *session) error {
				m, err := s.Show(c.Context(), s.Workspace, args[0])
				if err != nil {
					return err
				}
				return a.answer(m, func(w io.Writer) error { return printMemory(w, m) })
			})
		},
	}
}

func printMemory(w io.Writer, m memory.Memory) error {
	fmt.Fprintf(w, "%s\n\n", printable(m.Text))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(table, "%s\t%s\n", name, value)
		}
	}
	row("id", string(m.ID))
	row("where", where(m))
	row("heading", printable(strings.Join(m.Heading, " › ")))
	row("state", strings.TrimSpace(marks(m)))
	row("tier", string(m.Tier))
	row("type", string(m.Type))
	row("category", string(m.Category))
	row("scope", string(m.Scope))
	row("tags", strings.Join(m.Tags, ", "))
	row("importance", fmt.Sprintf("%.2f (%s)", m.Importance, m.ImportanceLabel))
	row("source", fmt.Sprintf("%s, %s", m.Source, m.Trust))
	row("created", local(m.CreatedAt))
	row("edited", localOrNever(m.EditedAt))
	row("used", fmt.Sprintf("%d times, last %s", m.UseCount, localOrNever(m.LastAccessedAt)))
	if m.ExpiresAt != nil {
		row("expires", local(*m.ExpiresAt))
	}
	if m.SupersededBy != nil {
		row("superseded by", m.SupersededBy.Short())
	}
	return table.Flush()
}

// completeID completes an id with the memories that begin so.
func (a *app) completeID(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	var found []string
	if len(args) == 0 {
		_ = a.with(c.Context(), reads, func(s *session) error { // a completion that fails completes nothing
			var err error
			found, err = idsWith(c.Context(), s, typed)
			return err
		})
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

func idsWith(ctx context.Context, s *session, prefix string) ([]string, error) {
	const shown = 50 // more than a screen helps nobody
	all, err := s.List(ctx, memory.ListRequest{Workspace: s.Workspace})
	var found []string
	for _, m := range all.Memories {
		if strings.HasPrefix(string(m.ID), strings.ToLower(prefix)) && len(found) < shown {
			found = append(found, m.ID.Short()+"\t"+line(m.Text, 40))
		}
	}
	return found, err
}
