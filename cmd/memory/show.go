package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) showCommand() *cobra.Command {
	var r memory.ShowRequest
	c := &cobra.Command{
		Use:               "show ID",
		Short:             "show one memory, its versions and everything that is known about it",
		Example:           "  memory show 3f8a91c2\n  memory show 3f8a --json",
		Args:              argumentCount(1, 1, "the id"),
		ValidArgsFunction: a.completeID,
		RunE: func(c *cobra.Command, args []string) error {
			return a.withSession(c.Context(), readsAll, func(s *session) error {
				r.ID, r.Workspace = args[0], s.Workspace
				answer, err := s.Show(c.Context(), r)
				if err != nil {
					return err
				}
				return a.printAnswer(answer, func(w io.Writer) error { return printMemory(w, answer) })
			})
		},
	}
	a.userFlag(c, &r.Sender, "", readerHelp)
	return c
}

func printMemory(w io.Writer, answer memory.ShowAnswer) error {
	m := answer.Memory
	fmt.Fprintf(w, "%s\n\n", m.Text)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(table, "%s\t%s\n", name, value)
		}
	}
	row("id", string(m.ID))
	row("location", display.Location(m))
	row("heading", strings.Join(m.Heading, " › "))
	row("state", strings.TrimSpace(display.State(m)))
	row("tier", string(m.Tier))
	row("type", string(m.Type))
	row("category", string(m.Category))
	row("scope", string(m.Scope))
	row("user", m.User)
	row("tags", strings.Join(m.Tags, ", "))
	row("entities", strings.Join(m.Entities, ", "))
	row("importance", importanceText(m))
	row("source", fmt.Sprintf("%s, %s", m.Source, m.Trust))
	row("created", createdText(m)+because(m.DateReason))
	row("edited", display.TimeOrNever(m.EditedAt))
	row("used", fmt.Sprintf("%d times, last %s", m.UseCount, display.TimeOrNever(m.LastAccessedAt)))
	if m.ExpiresAt != nil {
		row("expires", display.Time(*m.ExpiresAt))
	}
	if m.SupersededBy != nil && len(answer.Successors) == 0 {
		row("superseded by", m.SupersededBy.Short())
	}
	for i, v := range answer.Successors {
		row(onceOnly(i, "superseded by"), versionText(v))
	}
	for i, v := range answer.Supersedes {
		row(onceOnly(i, "supersedes"), versionText(v))
	}
	return table.Flush()
}

// importanceText returns the importance with its label, if there is one.
func importanceText(m memory.Memory) string {
	if m.ImportanceLabel == memory.ImportanceUnknown {
		return fmt.Sprintf("%.2f", m.Importance)
	}
	return fmt.Sprintf("%.2f (%s)", m.Importance, m.ImportanceLabel)
}

// createdText returns when a memory was created. The name of a daily note has no time.
func createdText(m memory.Memory) string {
	if m.CreatedFrom == memory.DateNote {
		return m.CreatedAt.Local().Format(time.DateOnly)
	}
	return display.Time(m.CreatedAt)
}

// onceOnly returns the name of a row that continues for several values.
func onceOnly(i int, name string) string {
	if i > 0 {
		return " "
	}
	return name
}

// versionWidth is how much of a version shows, in characters: the rest of a line of 100.
const versionWidth = 60

// versionText describes another version of a memory in one line.
func versionText(v memory.Version) string {
	text := display.State(memory.Memory{Forgotten: v.Forgotten, Missing: v.Missing})
	return fmt.Sprintf("%s  %s  %s%s", v.ID.Short(), v.CreatedAt.Local().Format(time.DateOnly), text, display.MemoryLine(v.Text, versionWidth))
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
			user, _ := c.Flags().GetString("user") // empty where the command has no such flag
			r := memory.ListRequest{Workspace: s.Workspace, Properties: true, Sender: memory.Sender{User: user}}
			r.Forgotten = c.Name() == string(memory.ActionRestore)
			found, err = matchingIDs(c.Context(), s, r, typed)
			return err
		})
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// matchingIDs returns the ids with a prefix that a request lists.
func matchingIDs(ctx context.Context, s *session, r memory.ListRequest, prefix string) ([]string, error) {
	const most = 50 // one screen
	all, err := s.List(ctx, r)
	var found []string
	for _, m := range all.Memories {
		if strings.HasPrefix(string(m.ID), strings.ToLower(prefix)) && len(found) < most {
			about := m.Text
			if m.Forgotten {
				about = m.Path // a forgotten text is not shown unasked
			}
			found = append(found, m.ID.Short()+"\t"+display.Line(about, 40))
		}
	}
	return found, err
}
