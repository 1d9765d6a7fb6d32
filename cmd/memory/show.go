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
		Short:             "show one memory and everything that is known about it",
		Example:           "  memory show 3f8a91c2\n  memory show 3f8a --json",
		Args:              argumentCount(1, 1, "the id"),
		ValidArgsFunction: a.completeID,
		RunE: func(c *cobra.Command, args []string) error {
			return a.withSession(c.Context(), readsIndex, func(s *session) error {
				m, err := s.Show(c.Context(), memory.ShowRequest{ID: args[0], Workspace: s.Workspace})
				if err != nil {
					return err
				}
				return a.printAnswer(m, func(w io.Writer) error { return printMemory(w, m) })
			})
		},
	}
}

func printMemory(w io.Writer, m memory.Memory) error {
	fmt.Fprintf(w, "%s\n\n", visibleText(m.Text))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(table, "%s\t%s\n", name, value)
		}
	}
	row("id", string(m.ID))
	row("location", location(m))
	row("heading", visibleText(strings.Join(m.Heading, " › ")))
	row("state", strings.TrimSpace(stateText(m)))
	row("tier", string(m.Tier))
	row("type", string(m.Type))
	row("category", string(m.Category))
	row("scope", string(m.Scope))
	row("tags", strings.Join(m.Tags, ", "))
	row("importance", fmt.Sprintf("%.2f (%s)", m.Importance, m.ImportanceLabel))
	row("source", fmt.Sprintf("%s, %s", m.Source, m.Trust))
	row("created", localTime(m.CreatedAt)+because(m.DateReason))
	row("edited", localTimeOrNever(m.EditedAt))
	row("used", fmt.Sprintf("%d times, last %s", m.UseCount, localTimeOrNever(m.LastAccessedAt)))
	if m.ExpiresAt != nil {
		row("expires", localTime(*m.ExpiresAt))
	}
	if m.SupersededBy != nil {
		row("superseded by", m.SupersededBy.Short())
	}
	return table.Flush()
}

// because returns a reason after a colon.
func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

// completeID completes an id prefix.
func (a *app) completeID(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	var found []string
	if len(args) == 0 {
		_ = a.withSession(c.Context(), readsIndex, func(s *session) error { // an error completes nothing
			var err error
			found, err = matchingIDs(c.Context(), s, typed)
			return err
		})
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

func matchingIDs(ctx context.Context, s *session, prefix string) ([]string, error) {
	const most = 50 // one screen
	all, err := s.List(ctx, memory.ListRequest{Workspace: s.Workspace})
	var found []string
	for _, m := range all.Memories {
		if strings.HasPrefix(string(m.ID), strings.ToLower(prefix)) && len(found) < most {
			found = append(found, m.ID.Short()+"\t"+oneLine(m.Text, 40))
		}
	}
	return found, err
}
