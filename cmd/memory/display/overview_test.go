package display_test

import (
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/hostsetup"
)

func TestStepsNameTheCommandThatHelps(t *testing.T) {
	notes := memory.WorkspaceStatus{Name: "notes"}
	faulty := memory.WorkspaceStatus{Name: "faulty", Faults: make([]memory.Fault, 2), Error: "no database"}
	running := &memory.DaemonStatus{}
	codex := hostsetup.ClientStatus{Client: "codex", Title: "Codex", Wired: "no"}
	qwen := hostsetup.ClientStatus{Client: "qwen", Title: "Qwen Code", Wired: "partly"}
	for _, tt := range []struct {
		name    string
		status  memory.Status
		machine display.Machine
		want    []display.Step
	}{
		{"a fresh machine", memory.Status{}, display.Machine{}, []display.Step{
			{"memory workspace add DIR", "index the Markdown of a folder"}, {"memory setup", "make your agents use this memory"}}},
		{"a fresh machine with a client", memory.Status{}, display.Machine{Unset: []hostsetup.ClientStatus{codex}}, []display.Step{
			{"memory workspace add DIR", "index the Markdown of a folder"}, {"memory setup codex", "Codex: installed, not set up"}}},
		{"nothing to do", memory.Status{Daemon: running, Workspaces: []memory.WorkspaceStatus{notes}}, display.Machine{Installed: true}, []display.Step{
			{"memory search QUERY", "find memories by words and by meaning"}}},
		{"points to decide", memory.Status{Workspaces: []memory.WorkspaceStatus{notes}}, display.Machine{Points: map[string]int{"notes": 1}}, []display.Step{
			{"memory review -w notes", "1 point to decide"}}},
		{"a service that stands still", memory.Status{Workspaces: []memory.WorkspaceStatus{notes}}, display.Machine{Installed: true}, []display.Step{
			{"memory service start", "the installed service does not run"}}},
		{"much is wrong", memory.Status{OwnerPID: 7, ConfigError: "line 2", Workspaces: []memory.WorkspaceStatus{faulty}}, display.Machine{Installed: true, Unset: []hostsetup.ClientStatus{codex, qwen}}, []display.Step{
			{"memory doctor", "process 7 owns the state folder and does not answer"}, {"memory doctor", "line 2"}, {"memory doctor", "faulty: no database"},
			{"memory status", "faulty has 2 faults in its files"}, {"memory setup", "not set up: Codex, Qwen Code"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := display.Steps(tt.status, tt.machine); !slices.Equal(got, tt.want) {
				t.Errorf("%q\nwant %q", got, tt.want)
			}
		})
	}
}
