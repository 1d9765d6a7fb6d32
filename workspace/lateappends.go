package workspace

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/memory-tiered/memory"
)

// tailTime is how long a replaced file is listened to: a shell's `>>`, opened
// before the rename and written after it, is done long before.
const tailTime = 2 * time.Second

// LateAppends holds a file that was replaced for two seconds, and carries over what
// someone appends to it in that time. A nil Tail is done.
type LateAppends struct {
	w     *Workspace
	name  string
	old   *os.File
	from  int64       // how much of old is accounted for
	want  memory.Hash // of the bytes that were replaced, the first of those from
	size  int64       // of old at the last look
	mod   time.Time   // of old at the last look
	line  bool        // old ended a line where the appending begins
	until time.Time
}

// UnmergedWrite is what someone wrote to a file after it was replaced that could not
// be carried over. It exists nowhere else any more.
type UnmergedWrite struct {
	Path  string
	Text  []byte
	Whole bool // Text is the whole file rewritten, not something appended
	Cause error
}

func (e *UnmergedWrite) Error() string {
	how := "appended to"
	if e.Whole {
		how = "written over"
	}
	message := fmt.Sprintf("%s was %s while it was replaced: %d bytes are left over", e.Path, how, len(e.Text))
	if e.Cause != nil {
		message += ": " + e.Cause.Error()
	}
	return message
}

// Unwrap makes it a memory.ErrConflict.
func (e *UnmergedWrite) Unwrap() error { return memory.ErrConflict }

// Drain looks whether the replaced file grew, and appends that to the new one.
// Call it now and then, every 100 ms say, until it is done or fails; it is done
// two seconds after the replacing. What cannot be carried over is a *Stranded.
func (t *LateAppends) Drain(now time.Time) (done bool, err error) {
	if t == nil || t.old == nil {
		return true, nil
	}
	err = t.look()
	if err == nil && now.Before(t.until) {
		return false, nil
	}
	return true, errors.Join(err, t.Close())
}

// Close gives up on the replaced file.
func (t *LateAppends) Close() error {
	if t == nil || t.old == nil {
		return nil
	}
	old := t.old
	t.old = nil
	return old.Close()
}

func (t *LateAppends) look() error {
	info, err := t.old.Stat()
	if err != nil {
		return fmt.Errorf("look at what %q was: %w", t.name, err)
	}
	if info.Size() == t.size && info.ModTime().Equal(t.mod) {
		return nil
	}
	text, err := io.ReadAll(io.NewSectionReader(t.old, 0, t.w.max+1))
	if err != nil {
		return fmt.Errorf("read what %q was: %w", t.name, err)
	}
	t.size, t.mod = info.Size(), info.ModTime()
	if int64(len(text)) < t.from || sum(text[:t.from]) != t.want {
		return &UnmergedWrite{Path: t.name, Text: text, Whole: true}
	}
	return t.carry(text)
}

// carry appends what text has beyond what is accounted for.
func (t *LateAppends) carry(text []byte) error {
	grown := text[t.from:]
	if len(grown) == 0 {
		return nil
	}
	if err := t.w.appendRaw(t.name, grown, t.line); err != nil {
		return &UnmergedWrite{Path: t.name, Text: grown, Cause: err}
	}
	t.from, t.want, t.line = int64(len(text)), sum(text), grown[len(grown)-1] == '\n'
	return nil
}

// appendRaw adds text to the file that name leads to now; on a line of its own
// where it began one before.
func (w *Workspace) appendRaw(name string, text []byte, line bool) (err error) {
	w.writing.Lock()
	defer w.writing.Unlock()
	root, err := w.open()
	if err != nil {
		return err
	}
	f, _, err := w.openFile(root, name, os.O_RDWR|os.O_APPEND)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if line && info.Size() > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, info.Size()-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			text = append([]byte("\n"), text...)
		}
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	return f.Sync()
}
