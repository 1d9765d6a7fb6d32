package engine

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory/workspace"
)

// hold keeps a replaced file in sight, so that what somebody is still appending
// to it is carried over. A nil tail needs none of that.
func (s *space) hold(t *workspace.LateAppends) {
	if t == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tails = append(s.tails, t)
}

// drain looks at every replaced file once. What could not be carried over is
// told once, with the text, as it stands nowhere else any more.
func (s *space) drain(now time.Time) error {
	s.mu.Lock()
	tails := s.tails
	s.tails = nil
	s.mu.Unlock()
	var errs []error
	for _, t := range tails {
		done, err := t.Drain(now)
		errs = append(errs, err)
		if !done {
			s.hold(t)
		}
	}
	return errors.Join(errs...)
}

// DrainAppends looks after files that were replaced a moment ago, in every workspace.
// A running service calls it every second.
func (e *Engine) DrainAppends(context.Context) error {
	var errs []error
	for _, s := range e.all() {
		errs = append(errs, s.drain(e.o.Now()))
	}
	return errors.Join(errs...)
}

// lastLook is how long a command that wrote a file stays to see whether it was
// being appended to: longer than any shell's echo takes, and too short to be
// noticed. A running service looks for the whole two seconds.
const lastLook = 100 * time.Millisecond

// settle ends the watch over replaced files before the engine closes.
func (s *space) settle() error {
	s.mu.Lock()
	any := len(s.tails) > 0
	s.mu.Unlock()
	if !any {
		return nil
	}
	time.Sleep(lastLook)
	err := s.drain(time.Now())
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tails {
		err = errors.Join(err, t.Close())
	}
	s.tails = nil
	return err
}
