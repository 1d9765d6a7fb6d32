package engine

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/doctor"
)

// Doctor looks for what is wrong with the state folder and the workspaces. Without Fix
// it changes nothing. With Fix it mends what needs no decision of a person, and looks
// again. progress may be nil.
func (e *Engine) Doctor(ctx context.Context, r memory.DoctorRequest, progress func(memory.Progress)) (memory.DoctorAnswer, error) {
	if r.Fix {
		if err := e.refuseWhenReadOnly(); err != nil {
			return memory.DoctorAnswer{OK: true}, err
		}
	}
	names, err := e.namesToCheck(r.Workspace)
	if err != nil {
		return memory.DoctorAnswer{OK: true}, err
	}
	options := e.options()
	state := doctor.StateFolder{Dir: options.StateDir, ReadOnly: options.ReadOnly, Daemon: e.daemon}
	checks := state.Checks()
	for _, name := range names {
		checks = append(checks, e.workspaceChecks(name)...)
	}
	return doctor.Run(ctx, checks, r.Fix, progress)
}

// namesToCheck returns the workspaces of a request, also those that cannot be opened.
func (e *Engine) namesToCheck(name string) (names []string, err error) {
	for _, s := range e.sortedWorkspaces() {
		if name == "" || s.Name == name {
			names = append(names, s.Name)
		}
	}
	if len(names) == 0 && name != "" {
		_, err = e.lookup(name)
	}
	return names, err
}
