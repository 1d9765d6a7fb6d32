package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/service"
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
	app      *app
	begin    time.Time
	patience time.Duration
	noted    bool
}

func (a *app) newLockWait() *lockWait {
	return &lockWait{app: a, begin: time.Now(), patience: lockTimeout}
}

// pause waits a moment for the process with this id, which may be 0. It returns false
// when the time is over.
func (w *lockWait) pause(ctx context.Context, pid int) bool {
	waited := time.Since(w.begin)
	if waited >= w.patience {
		return false
	}
	if waited >= lockNoteAfter && !w.noted {
		w.noted = true
		process := "another memory process"
		if pid != 0 {
			process += fmt.Sprintf(" (pid %d)", pid)
		}
		w.app.note("waiting for %s, at most %v", process, w.patience)
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(lockPoll):
		return true
	}
}

// acquire takes the lock of a folder. While another process holds it, acquire tries again
// as long as wait and goOn allow it.
func acquire(ctx context.Context, folder string, wait *lockWait, goOn func() bool) (*service.Lock, error) {
	for {
		lock, err := service.Acquire(folder)
		locked := (*service.LockedError)(nil)
		if !errors.As(err, &locked) {
			return lock, err
		}
		if !goOn() || !wait.pause(ctx, locked.PID) {
			return nil, errors.Join(err, ctx.Err())
		}
	}
}

// runAlone runs work while no other process does the same work, which has the lock of a
// folder. It waits a moment for one that was just ended.
func (a *app) runAlone(ctx context.Context, folder, name string, work func() error) error {
	wait := a.newLockWait()
	wait.patience = 2 * time.Second
	lock, err := acquire(ctx, folder, wait, func() bool { return true })
	if locked, ok := errors.AsType[*service.LockedError](err); ok {
		return memory.Unavailable(nil, "another %s runs (pid %d)", name, locked.PID).WithHint("wait until it has finished")
	}
	if err != nil {
		return err
	}
	return errors.Join(work(), lock.Release())
}

// checkReady returns an error that matches [index.ErrNotReady] while an index cannot be
// read yet. The process that holds the lock has not registered the workspace of the
// command line, or has not made its index.
func checkReady(e *engine.Engine, t target) error {
	switch {
	case t.name != "":
		return e.CheckReady(t.name)
	case t.dir != "":
		return memory.Unavailable(index.ErrNotReady, "%s is not registered yet", t.dir).
			WithHint("try again when the other process has finished, or start the service: memory serve")
	}
	return nil
}
