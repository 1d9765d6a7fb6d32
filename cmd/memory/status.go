package main

import (
	"fmt"
	"io"
	"time"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use: "status",
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := a.connect(c.Context(), noWorkspace, false)
			if err != nil {
				return err
			}
			defer s.Close()
			status, err := s.Status(c.Context())
			if err != nil {
				return err
			}
			status.OwnerPID, status.ConfigError = s.ownerPID, a.configError(s)
			return printAnswer(a, status, a.printStatus)
		},
	}
}

// configError returns why the configuration is not valid, and what to do. Without a
// service, no session opens then.
func (a *app) configError(s *session) string {
	if _, err := a.loadValid(); s.Daemon && err != nil {
		return fmt.Sprintf("%v (%s)", err, api.Describe(err).Hint)
	}
	return ""
}

func (a *app) printStatus(w io.Writer, status memory.Status) {
	if d := status.Daemon; d != nil {
		up := time.Duration(d.UptimeSeconds * float64(time.Second)).Round(time.Second)
		fmt.Fprintf(w, "service    %s, version %s, pid %d, up %s\nsocket     %s\n", a.colour("running", color.FgGreen), d.Version, d.PID, up, d.Socket)
	} else if status.OwnerPID != 0 {
		fmt.Fprintf(w, "service    %s (process %d owns the state folder; answers come from the index as it is)\n", a.colour("not answering", color.FgRed), status.OwnerPID)
	} else {
		fmt.Fprintf(w, "service    %s (commands work without it; memory serve starts it)\n", a.colour("not running", color.FgYellow))
	}
	fmt.Fprintf(w, "state      %s\n", status.StateDir)
	if status.ConfigError != "" {
		fmt.Fprintf(w, "settings   %s; the service keeps those from before\n", a.colour(display.Name(status.ConfigError), color.FgRed))
	}
	for _, h := range status.Hooks {
		fmt.Fprintf(w, "hooks      %s: last %d prompts, %d answered in time, %d with memories; the last one %s\n", display.Name(h.Client), h.Prompts, h.Answered, h.Given, display.Time(h.Last))
	}
	if len(status.Workspaces) == 0 {
		fmt.Fprintln(w, "workspaces none (memory workspace add DIR registers one)")
	}
	for _, ws := range status.Workspaces {
		a.printWorkspace(w, ws)
		if ws.Error != "" {
			fmt.Fprintf(w, "  %s %s\n", a.colour("error:", color.FgRed), ws.Error)
		}
		for _, notice := range ws.Notices {
			fmt.Fprintf(w, "  notice: %s\n", notice)
		}
		for _, fault := range ws.Faults {
			fmt.Fprintf(w, "  fault: %s\n", faultText(fault))
		}
	}
}

// printWorkspace prints the state of a workspace, without its notices and faults.
func (a *app) printWorkspace(w io.Writer, ws memory.WorkspaceStatus) {
	readOnly := ""
	if ws.ReadOnly {
		readOnly = fmt.Sprintf("  read-only (workspaces.%s.readOnly)", ws.Name)
	}
	fmt.Fprintf(w, "\n%s  %s%s\n", a.colour(ws.Name, color.Bold), display.Name(ws.Path), readOnly)
	switch {
	case ws.IndexFailed && !ws.Available:
		fmt.Fprintln(w, "  not served, for the reason below; the folder cannot be read either")
		return
	case ws.IndexFailed:
		fmt.Fprintln(w, "  not served, for the reason below; the folder itself can be read")
		return
	}
	fmt.Fprintf(w, "  %d memories in %d files, %s; watching: %s\n", ws.Memories, ws.Files, freshness(ws), ws.Watch)
	if c := ws.Coverage; c != nil && c.NotCovered > 0 {
		fmt.Fprintf(w, "  not indexed: %s\n", display.NotIndexed(ws.Path, *c))
	}
	fmt.Fprintf(w, "  in memory: %s\n", inMemoryText(ws.InMemory))
	fmt.Fprintf(w, "  embedding: %s\n", display.Embedding(ws.Embedding))
}

func freshness(ws memory.WorkspaceStatus) string {
	switch {
	case !ws.Available:
		return "the folder cannot be read"
	case ws.Indexing != nil:
		return indexingText(*ws.Indexing)
	case ws.Error != "":
		return "perhaps not up to date"
	case ws.Behind > 0:
		return fmt.Sprintf("%d changed files not indexed yet", ws.Behind)
	case ws.Fresh:
		return "up to date"
	case ws.LastIndex != nil:
		return "last indexed " + display.Time(*ws.LastIndex)
	}
	return "not indexed yet"
}
