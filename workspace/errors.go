package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/memory-tiered/memory"
)

// ErrReadOnly reports that a file may not be written: the workspace is marked
// read-only, or the file, its folder or the file system is. A file without any
// write bit is read-only for root too.
var ErrReadOnly = errors.New("read-only")

// ErrLinked reports that a file has several names (hard links). Replacing it would
// leave the other names with the old content.
var ErrLinked = errors.New("several hard links")

// ErrUnsynced reports that a file was replaced, but the disk did not confirm that
// the replacement lasts. The file has its new content. After a power failure it may
// have the old one.
var ErrUnsynced = errors.New("not synced")

// TooLarge reports a file over the workspace's size limit. Nothing of it is
// indexed.
type TooLarge struct {
	Path      string
	Size, Max int64
}

func (e *TooLarge) Error() string { return e.Path + ": " + e.Fault().Message }

// Unwrap makes it a memory.ErrInvalid.
func (e *TooLarge) Unwrap() error { return memory.ErrInvalid }

// Fault returns the error as a fault.
func (e *TooLarge) Fault() memory.Fault {
	return memory.Fault{Path: e.Path, Message: fmt.Sprintf(
		"not indexed: %.1f MiB is over the limit of %.1f MiB for a file", mib(e.Size), mib(e.Max))}
}

func mib(n int64) float64 { return float64(n) / (1 << 20) }

func readOnlyError(name string, cause error) error {
	return &memory.Error{Kind: memory.ErrForbidden, Message: fmt.Sprintf("%s cannot be written", name),
		Cause: errors.Join(ErrReadOnly, cause), Hint: "make the file and its folder writable"}
}

// readOnlyWorkspaceError is the error for every write to a workspace that is marked
// read-only.
func readOnlyWorkspaceError(name string) error {
	return &memory.Error{Kind: memory.ErrForbidden, Message: fmt.Sprintf("%s cannot be written", name),
		Cause: fmt.Errorf("the workspace is %w", ErrReadOnly),
		Hint:  "the setting workspaces.NAME.readOnly makes it so; memory config set workspaces.NAME.readOnly false allows to write"}
}

func linkedError(name string) error {
	return &memory.Error{Kind: memory.ErrConflict, Message: fmt.Sprintf("%s has several hard links, which a write would separate", name),
		Cause: ErrLinked, Hint: "replace the other names by symbolic links, then try again"}
}

func badLinkError(name string, cause error) error {
	return &memory.Error{Kind: memory.ErrForbidden, Message: fmt.Sprintf("%s cannot be written, because a link on its path is not followed", name),
		Cause: cause, Hint: "replace the link by a folder, or by a link to a folder in the workspace"}
}

func unsyncedError(name string, cause error) error {
	return &memory.Error{Kind: memory.ErrUnavailable, Message: fmt.Sprintf("%s was written, but the disk did not confirm it", name),
		Cause: errors.Join(ErrUnsynced, cause), Hint: "check the disk; a power failure can still undo the write"}
}

func changedError(name string) error {
	return memory.Conflict("%s changed meanwhile", name).WithHint("try again")
}

// writeError maps the error of a failed write to a memory.Error. Any other error of
// the system is unavailable: the disk failed, not this program.
func writeError(name string, err error) error {
	var system syscall.Errno
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrUnsynced), errors.Is(err, ErrLinked):
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, errDiskFull):
		return memory.Unavailable(err, "no space left to write %s", name).
			WithHint("free some space; the file is unchanged")
	case errors.Is(err, errOutside), errors.Is(err, errLinkLoop):
		return badLinkError(name, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return readOnlyError(name, err)
	case errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist):
		return changedError(name)
	case errors.As(err, &system):
		return memory.Unavailable(err, "%s cannot be written", name).WithHint("check the disk; the file is unchanged")
	}
	return fmt.Errorf("write %q: %w", name, err)
}

// errDiskFull is ERROR_DISK_FULL of Windows. On other systems no write returns
// this number.
const errDiskFull = syscall.Errno(112)

func writable(mode fs.FileMode) bool { return mode.Perm()&0o222 != 0 }
