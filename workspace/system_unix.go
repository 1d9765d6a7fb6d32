//go:build unix && !solaris && !aix

package workspace

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// openNoWait is the flag that opens a pipe without waiting for its other end.
const openNoWait = syscall.O_NONBLOCK

// tryLock locks f until it is closed. It returns false if another process has the
// lock, and true on file systems without locks.
func tryLock(f *os.File) bool {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return !errors.Is(err, syscall.EWOULDBLOCK)
}

// copyOwner gives f the owner of old. Only root may; other users own what they edit.
func copyOwner(f *os.File, old os.FileInfo) {
	if st, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(st.Uid), int(st.Gid))
	}
}

// linkCount returns how many names a file has.
func linkCount(info os.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Nlink)
	}
	return 1
}

// accessFolder returns why files in a folder cannot be written: its permissions, or a
// file system that is read-only.
func accessFolder(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }
