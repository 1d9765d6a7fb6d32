package main

import (
	"context"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/index"
)

// A command waits five seconds for another command: some ten short ones take their
// turn in that time. It says so after a second.
const (
	lockTimeout   = 5 * time.Second
	lockPoll      = 50 * time.Millisecond
	lockNoteAfter = time.Second
)

// lockWait is the time that one command waits for another process.
type lockWait struct {
	app   *app
	begin time.Time
	noted bool
}

func (a *app) newLockWait() *lockWait { return &lockWait{app: a, begin: time.Now()} }

// pause waits a moment for the process with this id, which may be 0. It returns false
// when the time is over.
func (w *lockWait) pause(ctx context.Context, pid int) bool {
	waited := time.Since(w.begin)
	if waited >= lockTimeout {
		return false
	}
	if waited >= lockNoteAfter && !w.noted {
		w.noted = true
		process := "another memory process"
		if pid != 0 {
			process += fmt.Sprintf(" (pid %d)", pid)
		}
		fmt.Fprintf(w.app.err, "note: waiting for %s, at most %v\n", process, lockTimeout)
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(lockPoll):
		return true
	}
}

// checkReady returns an error that matches [index.ErrNotReady] while an index
// cannot be read yet. The process that holds the lock has not registered the
// workspace of the command line, or has not made its index.
func (a *app) checkReady(e *engine.Engine, cfg *config.Loaded) error {
	t, err := a.resolveTarget(registry.Workspaces(cfg)) // selectWorkspace returns its error
	switch {
	case err == nil && t.name != "":
		return e.CheckReady(t.name)
	case err == nil && t.explicit:
		return memory.Unavailable(index.ErrNotReady, "%s is not registered yet", t.dir).
			WithHint("try again when the other process has finished, or start the service: memory serve")
	}
	return nil
}
