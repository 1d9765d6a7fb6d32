package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) showCommand() *cobra.Command {
	var r memory.ShowRequest
	c := &cobra.Command{
		Use:               "show ID",
		Args:              argumentCount(1, 1, "the id"),
		ValidArgsFunction: firstArgument(a.completeID),
		RunE: func(c *cobra.Command, args []string) error {
			r.ID = args[0]
			return callBackend(c, a, readsIndex, api.Backend.Show, &r, &r.Workspace, printMemory)
		},
	}
	a.userFlag(c, &r.Sender, "", readerHelp)
	return c
}

func printMemory(w io.Writer, answer memory.ShowAnswer) {
	m := answer.Memory
	fmt.Fprintf(w, "%s\n\n", m.Text)
	rows := []struct{ name, value string }{
		{"id", string(m.ID)},
		{"location", display.Location(m)},
		{"heading", strings.Join(m.Heading, " › ")},
		{"state", strings.TrimSpace(display.State(m))},
		{"tier", string(m.Tier)},
		{"type", string(m.Type)},
		{"category", string(m.Category)},
		{"scope", string(m.Scope)},
		{"user", m.User},
		{"tags", strings.Join(m.Tags, ", ")},
		{"entities", strings.Join(m.Entities, ", ")},
		{"importance", importanceText(m)},
		{"source", fmt.Sprintf("%s, %s", m.Source, m.Trust)},
		{"created", createdText(m)},
		{"edited", display.TimeOrNever(m.EditedAt)},
		{"used", fmt.Sprintf("%d times, last %s", m.UseCount, display.TimeOrNever(m.LastAccessedAt))},
	}
	columns(w, 0, func(table io.Writer) {
		for _, row := range rows {
			if row.value != "" {
				fmt.Fprintf(table, "%s\t%s\n", row.name, row.value)
			}
		}
		if m.ExpiresAt != nil {
			fmt.Fprintf(table, "expires\t%s\n", display.Time(*m.ExpiresAt))
		}
		if m.SupersededBy != nil && len(answer.Successors) == 0 {
			fmt.Fprintf(table, "superseded by\t%s\n", m.SupersededBy.Short())
		}
		printVersions(table, "superseded by", answer.Successors)
		printVersions(table, "supersedes", answer.Supersedes)
	})
}

// importanceText returns the importance with its label, if there is one.
func importanceText(m memory.Memory) string {
	if m.ImportanceLabel == memory.ImportanceUnknown {
		return fmt.Sprintf("%.2f", m.Importance)
	}
	return fmt.Sprintf("%.2f (%s)", m.Importance, m.ImportanceLabel)
}

// createdText returns when a memory was created, and why another time is not believed. The
// name of a daily note has no time.
func createdText(m memory.Memory) string {
	text := display.Time(m.CreatedAt)
	if m.CreatedFrom == memory.DateNote {
		text = m.CreatedAt.Local().Format(time.DateOnly)
	}
	if m.DateReason != "" {
		text += ": " + m.DateReason
	}
	return text
}

// versionWidth is how much of a version shows, in characters: the rest of a line of 100.
const versionWidth = 60

// printVersions prints other versions of a memory, one line each. Only the first has the
// name of the row.
func printVersions(table io.Writer, name string, versions []memory.Version) {
	for _, v := range versions {
		state := display.State(memory.Memory{Forgotten: v.Forgotten, Missing: v.Missing})
		fmt.Fprintf(table, "%s\t%s  %s  %s%s\n", name, v.ID.Short(), v.CreatedAt.Local().Format(time.DateOnly), state, display.MemoryLine(v.Text, versionWidth))
		name = " "
	}
}
