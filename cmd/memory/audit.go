package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

// auditLimit is the default of --limit: two screens.
const auditLimit = 50

func (a *app) auditCommand() *cobra.Command {
	var r memory.AuditRequest
	c := question(a, "audit", arguments{}, api.Backend.Audit, &r, &r.Workspace, a.printAudit)
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
		display.AuditRow(w, row)
	}
	a.noteShown(len(answer.Audit), answer.Total)
}
