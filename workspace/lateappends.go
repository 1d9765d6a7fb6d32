package workspace

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
)

// lateAppendTime is how long a replaced file stays open. A shell's `>>` that opened
// the file before the rename has finished long before that.
const lateAppendTime = 2 * time.Second

// LateAppends keeps a replaced file open for two seconds. It copies what other
// programs append to it in that time to the new file. A nil *LateAppends is done.
type LateAppends struct {
	w           *Workspace
	name        string
	old         *os.File
	mergedBytes int64       // how many bytes of old are in the new file, or were replaced
	mergedHash  memory.Hash // of these bytes
	lastSize    int64       // of old, when it was last read
	lastModTime time.Time   // of old, when it was last read
	endedLine   bool        // whether these bytes end with a line break
	deadline    time.Time
}

// UnmergedWrite is a write to a replaced file that could not be copied to the new
// file. Its text exists nowhere else.
type UnmergedWrite struct {
	Path  string
	Text  []byte
	Whole bool // Text is the whole file, rewritten; otherwise it was appended
	Cause error
}

func (e *UnmergedWrite) Error() string {
	how := "appended to"
	if e.Whole {
		how = "rewritten"
	}
	message := fmt.Sprintf("%s was %s while it was replaced: %d bytes are not in the new file", e.Path, how, len(e.Text))
	if e.Cause != nil {
		message += ": " + e.Cause.Error()
	}
	return message
}

// Unwrap makes it a memory.ErrConflict.
func (e *UnmergedWrite) Unwrap() error { return memory.ErrConflict }

// Drain appends to the new file what was appended to the replaced file since the
// last call. Call it again until it is done or fails; it is done two seconds after the
// replacement. What cannot be copied is an *UnmergedWrite.
func (l *LateAppends) Drain(now time.Time) (done bool, err error) {
	if l == nil || l.old == nil {
		return true, nil
	}
	err = l.merge()
	if err == nil && now.Before(l.deadline) {
		return false, nil
	}
	return true, errors.Join(err, l.Close())
}

// Close closes the replaced file; later writes to it are lost.
func (l *LateAppends) Close() error {
	if l == nil || l.old == nil {
		return nil
	}
	old := l.old
	l.old = nil
	return old.Close()
}

// merge copies what is new in the replaced file.
func (l *LateAppends) merge() error {
	info, err := l.old.Stat()
	if err != nil {
		return fmt.Errorf("stat the replaced file of %q: %w", l.name, err)
	}
	if info.Size() == l.lastSize && info.ModTime().Equal(l.lastModTime) {
		return nil
	}
	text, err := io.ReadAll(io.NewSectionReader(l.old, 0, l.w.maxBytes+1))
	if err != nil {
		return fmt.Errorf("read the replaced file of %q: %w", l.name, err)
	}
	l.lastSize, l.lastModTime = info.Size(), info.ModTime()
	if int64(len(text)) < l.mergedBytes || sum(text[:l.mergedBytes]) != l.mergedHash {
		return &UnmergedWrite{Path: l.name, Text: text, Whole: true}
	}
	return l.appendNew(text)
}

// appendNew appends the part of text that is not in the new file yet.
func (l *LateAppends) appendNew(text []byte) error {
	grown := text[l.mergedBytes:]
	if len(grown) == 0 {
		return nil
	}
	if err := l.w.appendRaw(l.name, grown, l.endedLine); err != nil {
		return &UnmergedWrite{Path: l.name, Text: grown, Cause: err}
	}
	l.mergedBytes, l.mergedHash, l.endedLine = int64(len(text)), sum(text), grown[len(grown)-1] == '\n'
	return nil
}

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
