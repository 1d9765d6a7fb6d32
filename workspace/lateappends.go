package workspace

import (
	"errors"
	"fmt"
	"io"
	"os"
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
