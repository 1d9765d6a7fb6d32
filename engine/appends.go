package engine

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory/workspace"
)

// DrainAppends carries over text that was appended to files after they were
// replaced, in every workspace. A running service calls it every second.
func (e *Engine) DrainAppends(context.Context) error {
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		errs = append(errs, s.drainAppends(e.options().Now()))
	}
	return errors.Join(errs...)
}

// WatchAppends keeps a replaced file open, so that text which another program still
// appends to it can be carried over. t may be nil.
func (s *workspaceState) WatchAppends(t *workspace.LateAppends) {
	if t == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.appends = append(s.appends, t)
}

// drainAppends carries over late appends from every replaced file. An error reports
// text that could not be carried over once, with the text, because it exists in no
// file.
func (s *workspaceState) drainAppends(now time.Time) error {
	s.drainMu.Lock() // so that the last call does not miss what another one holds
	defer s.drainMu.Unlock()
	var errs []error
	for _, t := range s.takeAppends() {
		done, err := t.Drain(now)
		errs = append(errs, err)
		if !done {
			s.WatchAppends(t)
		}
	}
	return errors.Join(errs...)
}

func (s *workspaceState) takeAppends() []*workspace.LateAppends {
	s.mu.Lock()
	defer s.mu.Unlock()
	appends := s.appends
	s.appends = nil
	return appends
}

// appendWait is how long a command that replaced a file waits for late appends. It
// is longer than a shell's echo takes and too short to notice. A running service
// waits the full two seconds.
const appendWait = 100 * time.Millisecond

// finishAppends carries over late appends a last time and closes the replaced
// files.
func (s *workspaceState) finishAppends(now time.Time) error {
	if !s.hasAppends() {
		return nil
	}
	time.Sleep(appendWait)
	err := s.drainAppends(now)
	for _, t := range s.takeAppends() {
		err = errors.Join(err, t.Close())
	}
	return err
}

// hasAppends reports whether a replaced file is still open.
func (s *workspaceState) hasAppends() bool {
	s.drainMu.Lock()
	defer s.drainMu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.appends) > 0
}
