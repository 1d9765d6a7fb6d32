package display

import (
	"fmt"
	"io"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/hostsetup"
)

// Overview is what the program knows without a command: its state, and what helps next.
type Overview struct {
	Status memory.Status     `json:"status"`
	Next   memory.List[Step] `json:"next"`
}

// Step is a command that a person can use now, and why.
type Step struct {
	Command string `json:"command"`
	Reason  string `json:"reason"`
}

// Machine is what [Steps] needs beside the status.
type Machine struct {
	Points    map[string]int           // of the review of a workspace
	Installed bool                     // the operating system has the service
	Unset     []hostsetup.ClientStatus // installed clients that do not use this memory, or only in part
}

// Steps lists the commands that help next, the most urgent first.
func Steps(status memory.Status, m Machine) (steps memory.List[Step]) {
	add := func(command, reason string, values ...any) {
		steps = append(steps, Step{command, fmt.Sprintf(reason, values...)})
	}
	if status.OwnerPID != 0 {
		add("memory doctor", "process %d owns the state folder and does not answer", status.OwnerPID)
	} else if status.Daemon == nil && m.Installed {
		add("memory service start", "the installed service does not run")
	}
	if status.ConfigError != "" {
		add("memory doctor", "%s", status.ConfigError)
	}
	for _, ws := range status.Workspaces {
		if ws.Error != "" {
			add("memory doctor", "%s: %s", ws.Name, ws.Error)
		}
		if n := len(ws.Faults); n > 0 {
			add("memory status", "%s has %s", ws.Name, Plural(n, "fault in its files", "faults in its files"))
		}
		if n := m.Points[ws.Name]; n > 0 {
			add("memory review -w "+ws.Name, "%s to decide", Plural(n, "point", "points"))
		}
	}
	if len(status.Workspaces) == 0 {
		add("memory workspace add DIR", "index the Markdown of a folder")
	}
	switch len(m.Unset) {
	case 0:
		if len(status.Workspaces) == 0 {
			add("memory setup", "make your agents use this memory")
		}
	case 1:
		add("memory setup "+m.Unset[0].Client, "%s: %s", m.Unset[0].Title, m.Unset[0].Text(nil))
	default:
		var titles []string
		for _, c := range m.Unset {
			titles = append(titles, c.Title)
		}
		add("memory setup", "not set up: %s", strings.Join(titles, ", "))
	}
	if len(steps) == 0 {
		add("memory search QUERY", "find memories by words and by meaning")
	}
	return steps
}

// PrintSteps prints the commands with their reasons.
func PrintSteps(w io.Writer, steps []Step, width int) {
	most := 0
	for _, s := range steps {
		most = max(most, len(s.Command))
	}
	for _, s := range steps {
		fmt.Fprintf(w, "  %-*s  %s\n", most, Name(s.Command), Line(s.Reason, max(20, width-most-4)))
	}
}
