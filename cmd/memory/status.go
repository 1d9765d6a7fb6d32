package main

import (
	"context"
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
	return newCommand("status", arguments{}, func(c *cobra.Command) error {
		return a.withStatus(c.Context(), func(_ *session, status memory.Status) error {
			return printAnswer(a, status, a.printStatus)
		})
	})
}

// withStatus runs a function with the status. The status has an error of the configuration, so
// no note repeats it.
func (a *app) withStatus(ctx context.Context, run func(*session, memory.Status) error) error {
	s, err := a.connect(ctx, noWorkspace, false)
	if err != nil {
		return err
	}
	defer s.Close()
	status, err := s.Status(ctx)
	if err != nil {
		return err
	}
	status.OwnerPID, status.ConfigError = s.ownerPID, a.configError(ctx, s)
	return run(s, status)
}

// overviewTimeout is how long the overview waits for the points of the reviews. A large
// workspace needs longer the first time; the overview is complete without them.
const overviewTimeout = 2 * time.Second

// overview is the program without a command. A client whose files cannot be read is not
// listed: setup status reports it.
func (a *app) overview(ctx context.Context) error {
	machine := display.Machine{Points: map[string]int{}}
	var answer display.Overview
	err := a.withStatus(ctx, func(s *session, status memory.Status) error {
		answer.Status = status
		ctx, cancel := context.WithTimeout(ctx, overviewTimeout)
		defer cancel()
		for _, ws := range answer.Status.Workspaces {
			if review, err := s.Review(ctx, memory.ReviewRequest{Workspace: ws.Name, Count: true}); err == nil {
				machine.Points[ws.Name] = review.Total
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	setup := clientSetup{app: a, noService: true}
	if o, _, err := setup.options(ctx); err == nil {
		machine.Unset = a.unsetClients(ctx, o)
		machine.Installed, _ = o.Machine.ServiceInstalled(ctx) // where no service manager answers, it has none
	}
	answer.Next = display.Steps(answer.Status, machine)
	return printAnswer(a, answer, a.printOverview)
}

func (a *app) printOverview(w io.Writer, answer display.Overview) {
	if a.printService(w, answer.Status); len(answer.Status.Workspaces) == 0 {
		fmt.Fprintln(w, "nothing is indexed yet")
	}
	for i, ws := range answer.Status.Workspaces {
		if i == shownWorkspaces {
			fmt.Fprintf(w, "and %d more: memory status\n", len(answer.Status.Workspaces)-i)
			break
		}
		fmt.Fprintf(w, "%-9s  %s, %s, in %s\n", ws.Name, display.MemoryCount(ws.Memories), freshness(ws), display.Name(ws.Path))
	}
	fmt.Fprintln(w, "\nnext:")
	display.PrintSteps(w, answer.Next, a.width)
	fmt.Fprintln(w, "\nmemory --help lists the commands")
}

// shownWorkspaces is how many workspaces the overview lists: half of a small terminal.
const shownWorkspaces = 10

// configError returns why the configuration is not valid, and what to do. Without a
// service, no session opens then.
func (a *app) configError(ctx context.Context, s *session) string {
	if _, err := a.loadValid(ctx); s.Daemon && err != nil {
		return fmt.Sprintf("%v (%s)", err, api.Describe(err).Hint)
	}
	return ""
}

func (a *app) printService(w io.Writer, status memory.Status) {
	if d := status.Daemon; d != nil {
		up := time.Duration(d.UptimeSeconds * float64(time.Second)).Round(time.Second)
		fmt.Fprintf(w, "service    %s, version %s, pid %d, up %s\nsocket     %s\n", a.colour("running", color.FgGreen), d.Version, d.PID, up, d.Socket)
		if d.Address != "" {
			fmt.Fprintf(w, "network    %s\n", d.Address)
		}
	} else if status.OwnerPID != 0 {
		fmt.Fprintf(w, "service    %s (process %d owns the state folder; answers come from the index as it is)\n", a.colour("not answering", color.FgRed), status.OwnerPID)
	} else {
		fmt.Fprintf(w, "service    %s (commands work without it; memory serve starts it)\n", a.colour("not running", color.FgYellow))
	}
}

func (a *app) printStatus(w io.Writer, status memory.Status) {
	a.printService(w, status)
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
		return display.Indexing(*ws.Indexing)
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
