package workspace

import (
	"errors"
	"sync"
	"time"
)

// ReplacedFiles are the files of one workspace that were replaced a moment ago. Other
// programs may still append to them. The zero value is empty.
type ReplacedFiles struct {
	draining sync.Mutex // held while late appends are carried over
	mu       sync.Mutex
	open     []*LateAppends
}

// Watch keeps a replaced file open, so that text which another program still
// appends to it can be carried over. t may be nil.
func (f *ReplacedFiles) Watch(t *LateAppends) {
	if t == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open = append(f.open, t)
}

// Drain carries over late appends from every replaced file. An error reports
// text that could not be carried over once, with the text, because it exists in no
// file.
func (f *ReplacedFiles) Drain(now time.Time) error {
	f.draining.Lock() // so that the last call does not miss what another one holds
	defer f.draining.Unlock()
	var errs []error
	for _, t := range f.take() {
		done, err := t.Drain(now)
		errs = append(errs, err)
		if !done {
			f.Watch(t)
		}
	}
	return errors.Join(errs...)
}

func (f *ReplacedFiles) take() []*LateAppends {
	f.mu.Lock()
	defer f.mu.Unlock()
	open := f.open
	f.open = nil
	return open
}

// appendWait is how long a command that replaced a file waits for late appends. It
// is longer than a shell's echo takes and too short to notice. A running service
// waits the full two seconds.
const appendWait = 100 * time.Millisecond

// Finish carries over late appends a last time and closes the replaced
// files.
func (f *ReplacedFiles) Finish(now time.Time) error {
	if !f.isOpen() {
		return nil
	}
	time.Sleep(appendWait)
	err := f.Drain(now)
	for _, t := range f.take() {
		err = errors.Join(err, t.Close())
	}
	return err
}

// isOpen reports whether a replaced file is still open.
func (f *ReplacedFiles) isOpen() bool {
	f.draining.Lock()
	defer f.draining.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.open) > 0
}
