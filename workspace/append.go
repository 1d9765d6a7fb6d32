package workspace

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io/fs"

	"github.com/memory-tiered/memory"
)

// appendTries is how often Append starts again after someone else's write:
// more would compete with a program that writes all the time.
const appendTries = 3

// Append adds whole lines at a file's end, which it creates with the folders
// above it where there is none (current is nil then). lines is asked again
// whenever the file changed meanwhile; what it gives starts on a line of its
// own, and nothing means that there is nothing to add. Errors are Replace's.
func (w *Workspace) Append(name string, lines func(current []byte) []byte) (*LateAppends, error) {
	var err error
	for range appendTries {
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
		var tail *LateAppends
		tail, err = w.Replace(name, want, joinLines(current, added))
		if !errors.Is(err, memory.ErrConflict) {
			return tail, err
		}
	}
	return nil, err
}

// joinLines ends current's last line, the way that its lines end.
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
