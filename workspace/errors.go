package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/memory-tiered/memory"
)

// ErrReadOnly says that a file is not ours to write: the workspace is marked
// read-only, or the file, its folder or the file system grants no writing. A
// file without any write bit counts, for root as well.
var ErrReadOnly = errors.New("read-only")

// readable says that a file is read and written: one of memories, or the one that
// holds decisions about them.
func (w *Workspace) readable(name string) bool {
	return name == memory.DecisionsFile || w.Indexable(name)
}

func readOnly(name string, cause error) error {
	return &memory.Error{Kind: memory.ErrForbidden, Message: fmt.Sprintf("%s cannot be written", name),
		Cause: errors.Join(ErrReadOnly, cause), Hint: "make the file and its folder writable"}
}

func changed(name string) error {
	return memory.Conflict("%s changed meanwhile", name).WithHint("try again")
}

// writeError says what a failed write means to who asked for it.
func writeError(name string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, errDiskFull):
		return memory.Unavailable(err, "no space left to write %s", name).
			WithHint("free some space; the file is as it was")
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return readOnly(name, err)
	case errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist):
		return changed(name)
	}
	return fmt.Errorf("write %q: %w", name, err)
}

// errDiskFull is Windows' own number (ERROR_DISK_FULL); elsewhere no error has
// it that a write could meet.
const errDiskFull = syscall.Errno(112)

func writable(mode fs.FileMode) bool { return mode.Perm()&0o222 != 0 }
