package hostsetup

import (
	"bytes"
	"os"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/internal/secrets"
)

// FileChange is a file of a client before and after a change; nil: it does not exist.
type FileChange struct {
	Path          string
	Before, After []byte
	base          []byte // what remove brings back; nil: no file
}

// Action tells what a change does to its file.
func (f FileChange) Action() string {
	switch {
	case bytes.Equal(f.Before, f.After) && (f.Before == nil) == (f.After == nil):
		return "unchanged"
	case f.Before == nil:
		return "created"
	case f.After == nil:
		return "removed"
	}
	return "edited"
}

// Diff returns the change as a unified diff, with secrets masked.
func (f FileChange) Diff() string {
	return secrets.Mask(string(diff.Diff(f.Path, f.Before, f.Path+" (new)", f.After)))
}

// write makes the change, unless somebody changed the file meanwhile.
func (f FileChange) write() error {
	_ = atomicfile.RemoveTemporary(f.Path)
	now, err := readFile(f.Path)
	switch {
	case err != nil:
		return err
	case !bytes.Equal(now, f.Before) || (now == nil) != (f.Before == nil):
		return memory.Conflict("%s has changed meanwhile", f.Path).WithHint("try again")
	case f.After == nil:
		err = os.Remove(f.Path)
	default:
		err = replaceFile(f.Path, f.After, 0o600)
	}
	if err != nil {
		return memory.Unavailable(err, "write %s", f.Path)
	}
	return nil
}
