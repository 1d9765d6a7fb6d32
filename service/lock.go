package service

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"github.com/memory-tiered/memory"
)

// lockName is the file in the state folder that the owner of its databases
// holds. It is never removed: removing a lock file lets two processes hold one.
const lockName = "tiered.lock"

// Lock is the ownership of a state folder.
type Lock struct{ file *flock.Flock }

// Acquire takes the lock of a state folder, or says at once who has it.
func Acquire(stateDir string) (*Lock, error) {
	if err := os.MkdirAll(stateDir, 0o700); err != nil {
		return nil, memory.Unavailable(err, "make the state folder").
			WithHint("choose another one with --state-dir or MEMORY_STATE_DIR")
	}
	path := filepath.Join(stateDir, lockName)
	file := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	ok, err := file.TryLock()
	if err != nil {
		return nil, memory.Unavailable(err, "lock the state folder %s", stateDir).
			WithHint("it must be a folder that you can write to; choose another one with --state-dir or MEMORY_STATE_DIR")
	}
	if !ok {
		return nil, &LockedError{Path: path, PID: owner(path)}
	}
	// Who holds it is only for people to read; failing to say so is no failure.
	_ = os.WriteFile(path, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600)
	return &Lock{file}, nil
}

// Release gives the folder up.
func (l *Lock) Release() error { return l.file.Unlock() }

// LockedError says that another process owns the state folder.
type LockedError struct {
	Path string
	PID  int // 0 where it does not say
}

func (h *LockedError) Error() string {
	if h.PID == 0 {
		return "another memory process owns " + filepath.Dir(h.Path)
	}
	return fmt.Sprintf("another memory process (pid %d) owns %s", h.PID, filepath.Dir(h.Path))
}

// Unwrap makes it an unavailable thing.
func (h *LockedError) Unwrap() error { return memory.ErrUnavailable }

func owner(path string) int {
	src, _ := os.ReadFile(path)
	pid, _ := strconv.Atoi(strings.TrimSpace(string(src)))
	return pid
}
