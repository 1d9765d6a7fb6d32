package engine

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory/workspace"
)

// watchAppends keeps a replaced file in sight, so that what somebody is still appending
// to it is carried over. A nil tail needs none of that.
func (s *workspaceState) watchAppends(t *workspace.LateAppends) {
	if t == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.appends = append(s.appends, t)
}

// drainAppends looks at every replaced file once. What could not be carried over is
// told once, with the text, as it stands nowhere else any more.
func (s *workspaceState) drainAppends(now time.Time) error {
	s.mu.Lock()
	tails := s.appends
	s.appends = nil
	s.mu.Unlock()
	var errs []error
	for _, t := range tails {
		done, err := t.Drain(now)
		errs = append(errs, err)
		if !done {
			s.watchAppends(t)
		}
	}
	return errors.Join(errs...)
}

// DrainAppends looks after files that were replaced a moment ago, in every workspace.
// A running service calls it every second.
func (e *Engine) DrainAppends(context.Context) error {
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		errs = append(errs, s.drainAppends(e.o.Now()))
	}
	return errors.Join(errs...)
}

// appendWait is how long a command that wrote a file stays to see whether it was
// being appended to: longer than any shell's echo takes, and too short to be
// noticed. A running service looks for the whole two seconds.
const appendWait = 100 * time.Millisecond

// finishAppends ends the watch over replaced files before the engine closes.
func (s *workspaceState) finishAppends() error {
	s.mu.Lock()
	any := len(s.appends) > 0
	s.mu.Unlock()
	if !any {
		return nil
	}
	time.Sleep(appendWait)
	err := s.drainAppends(time.Now())
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.appends {
		err = errors.Join(err, t.Close())
	}
	s.appends = nil
	return err
}
