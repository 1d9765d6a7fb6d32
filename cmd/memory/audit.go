package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

// auditLimit is the default of --limit: two screens.
const auditLimit = 50

func (a *app) auditCommand() *cobra.Command {
	var r memory.AuditRequest
	c := &cobra.Command{
		Use: "audit",
		RunE: func(c *cobra.Command, _ []string) error {
			return callBackend(c, a, readsIndex, api.Backend.Audit, &r, &r.Workspace, a.printAudit)
		},
	}
	flags := c.Flags()
	flags.StringVar(&r.ID, "id", "", "only decisions about this memory")
	flags.StringVar(&r.Action, "action", "", "only this `action`: forget, restore, pin, …")
	flags.StringVar(&r.Source, "source", "", "only decisions from this `source`: cli, tool, agent, file, capture, decay")
	flags.IntVar(&r.Limit, "limit", auditLimit, "at most this many; 0: no limit")
	flags.IntVar(&r.Offset, "offset", 0, "skip this many first")
	completeWords(c, "action", memory.AuditActions())
	completeWords(c, "source", []string{"cli", "tool", "agent", "file", "capture", "decay"})
	return c
}

func (a *app) printAudit(w io.Writer, answer memory.AuditAnswer) {
	for _, row := range answer.Audit {
		fmt.Fprintf(w, "%s  %-8s %-7s %s  %s\n", display.Time(row.At), row.Action, row.Source, row.ID.Short(), changesText(row))
	}
	a.noteShown(len(answer.Audit), answer.Total)
}

// changesText lists what a decision changed: "pinned false → true".
func changesText(row memory.AuditRow) string {
	text := ""
	for _, field := range slices.Sorted(maps.Keys(row.Old)) {
		before, after := row.Old[field], row.New[field]
		if _, isObject := before.(map[string]any); isObject || after == nil {
			continue
		}
		text += fmt.Sprintf("%s %.12v → %.12v  ", field, before, after) // 12 digits of a hash, or of an id
	}
	if reason, ok := row.New["reason"]; ok {
		text += fmt.Sprint(reason)
	}
	return text
}
