package service

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/machine"
)

// LockName is the name of the lock file in the state folder. The owner of the
// databases holds it. It is never removed, because after a removal two processes
// could each hold a lock file.
const LockName = "tiered.lock"

// Lock is the ownership of a state folder.
type Lock struct{ file *flock.Flock }

// Acquire locks a state folder, which it makes if necessary. It does not wait: a
// folder that another process owns is a [*LockedError]. A folder that other users
// own or may write to is refused.
func Acquire(stateDir string) (*Lock, error) {
	if err := os.MkdirAll(stateDir, 0o700); err != nil {
		return nil, memory.Unavailable(err, "make the state folder").
			WithHint("choose another one with --state-dir or MEMORY_STATE_DIR")
	}
	if err := CheckOwner(stateDir); err != nil {
		return nil, err
	}
	path := filepath.Join(stateDir, LockName)
	file := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|machine.NoFollow), flock.SetPermissions(0o600))
	ok, err := file.TryLock()
	if err != nil {
		return nil, memory.Unavailable(err, "lock the state folder %s", stateDir).
			WithHint("it must be a folder that you can write to, and %s in it must not be a symbolic link; choose another folder with --state-dir or MEMORY_STATE_DIR", LockName)
	}
	if !ok {
		return nil, &LockedError{Path: path, PID: readPID(path)}
	}
	writePID(path)
	return &Lock{file}, nil
}

// Release unlocks the folder.
func (l *Lock) Release() error { return l.file.Unlock() }

// LockedError reports that another process owns the state folder.
type LockedError struct {
	Path string // of the lock file
	PID  int    // 0 if the lock file does not contain it
}

func (e *LockedError) Error() string {
	if e.PID == 0 {
		return "another memory process owns " + filepath.Dir(e.Path)
	}
	return fmt.Sprintf("another memory process (pid %d) owns %s", e.PID, filepath.Dir(e.Path))
}

// Unwrap returns [memory.ErrUnavailable].
func (e *LockedError) Unwrap() error { return memory.ErrUnavailable }

func readPID(path string) int {
	src, _ := os.ReadFile(path)
	pid, _ := strconv.Atoi(strings.TrimSpace(string(src)))
	return pid
}

// writePID records the owner for people. A failure does not matter.
func writePID(path string) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC|machine.NoFollow, 0o600)
	if err != nil {
		return
	}
	_, _ = fmt.Fprintln(f, os.Getpid())
	_ = f.Close()
}
