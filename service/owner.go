package service

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/machine"
)

// CheckOwner returns an error if another user owns a state folder or may write to
// it. Such a user could replace the database or the socket. A missing folder is
// no error.
func CheckOwner(stateDir string) error {
	info, err := os.Stat(stateDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return memory.Unavailable(err, "read the state folder %s", stateDir).
			WithHint("choose another one with --state-dir or MEMORY_STATE_DIR")
	}
	if owner, known := machine.OwnerOf(info); known && owner != os.Getuid() {
		return refused(stateDir, "belongs to another user (id %d)", owner).
			WithHint("choose a folder of your own with --state-dir or MEMORY_STATE_DIR, or run as that user")
	}
	const othersWrite fs.FileMode = 0o022
	if mode := info.Mode().Perm(); machine.HasModes && mode&othersWrite != 0 {
		return refused(stateDir, "can be written by other users (mode %04o)", mode).
			WithHint("chmod 700 %s", stateDir)
	}
	return nil
}

func refused(stateDir, format string, args ...any) *memory.Error {
	return &memory.Error{Kind: memory.ErrForbidden, Message: "the state folder " + stateDir + " " + fmt.Sprintf(format, args...)}
}
