package workspace

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"

	"github.com/memory-tiered/memory"
)

// maxAppends is how often Append tries when another program writes the file
// meanwhile. More attempts would compete with a program that writes all the time.
const maxAppends = 3

// Append adds lines at the end of a file. It creates a missing file and its
// folders; current is nil then. It calls lines again whenever the file changed
// meanwhile. The added text starts on a new line and has the line ends of
// the file; empty text adds nothing. A file
// with several hard links keeps them: the text is appended to it in place. The
// other errors are those of Replace.
func (w *Workspace) Append(name string, lines func(current []byte) []byte) (*LateAppends, error) {
	var err error
	for range maxAppends {
		var current []byte
		var want memory.Hash
		current, _, err = w.Read(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			current = nil
		case err != nil:
			return nil, err
		default:
			want = sum(current)
		}
		added := lines(current)
		if len(added) == 0 {
			return nil, nil
		}
		if bytes.Contains(current, []byte("\r\n")) {
			added = bytes.ReplaceAll(added, []byte("\n"), []byte("\r\n"))
		}
		var late *LateAppends
		late, err = w.Replace(name, want, joinLines(current, added))
		if errors.Is(err, ErrLinked) {
			return nil, writeError(name, w.appendRaw(name, added, true))
		}
		if !errors.Is(err, memory.ErrConflict) {
			return late, err
		}
	}
	return nil, err
}

// TakeBack makes a file again what it was before an Append, if it still is as that left it.
// before is nil for a file that did not exist, which is removed. Without room for a copy of
// the file, the added lines are cut off in place.
func (w *Workspace) TakeBack(name string, before, added []byte) (*LateAppends, error) {
	if bytes.Contains(before, []byte("\r\n")) {
		added = bytes.ReplaceAll(added, []byte("\n"), []byte("\r\n"))
	}
	after := sum(joinLines(before, added))
	if before == nil {
		return nil, w.Remove(name, after)
	}
	late, err := w.Replace(name, after, before)
	if errors.Is(err, ErrLinked) || errors.Is(err, memory.ErrUnavailable) && !errors.Is(err, ErrUnsynced) {
		return nil, w.cut(name, after, int64(len(before)))
	}
	return late, err
}

// cut shortens a file whose bytes have the hash want.
func (w *Workspace) cut(name string, want memory.Hash, size int64) (err error) {
	root, err := w.openRoot()
	if err != nil {
		return err
	}
	w.writeMu.Lock()
	defer w.writeMu.Unlock()
	f, _, err := w.openFile(root, name, os.O_RDWR)
	if err != nil {
		return writeError(name, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, same, err := matchesHash(f, want); err != nil || !same {
		return errors.Join(err, changedError(name))
	}
	return writeError(name, errors.Join(f.Truncate(size), f.Sync()))
}

// joinLines appends added to current on a new line, with current's line ending.
func joinLines(current, added []byte) []byte {
	out := bytes.Clone(current)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		if bytes.Contains(out, []byte("\r\n")) {
			out = append(out, '\r')
		}
		out = append(out, '\n')
	}
	return append(out, added...)
}

func sum(text []byte) memory.Hash { return sha256.Sum256(text) }

// appendRaw appends text to the file that name leads to now. With newLine the text
// starts on a new line.
func (w *Workspace) appendRaw(name string, text []byte, newLine bool) (err error) {
	w.writeMu.Lock()
	defer w.writeMu.Unlock()
	root, err := w.openRoot()
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
	if newLine && info.Size() > 0 {
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
