//go:build unix && !solaris && !aix

package machine

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	// OpenNoWait is the flag that opens a pipe without waiting for its other end.
	OpenNoWait = syscall.O_NONBLOCK
	// NoFollow is the flag that makes opening a symbolic link fail.
	NoFollow = syscall.O_NOFOLLOW
)

// TryLock locks f until it is closed. It returns false if another process has the
// lock, and true on file systems without locks.
func TryLock(f *os.File) bool {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return !errors.Is(err, syscall.EWOULDBLOCK)
}

// CopyOwner gives f the owner of old. Only root may; other users own what they edit.
func CopyOwner(f *os.File, old os.FileInfo) {
	if st, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(st.Uid), int(st.Gid))
	}
}

// OwnerOf returns the id of the user who owns a file.
func OwnerOf(info os.FileInfo) (uid int, known bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(st.Uid), true
}

// LinkCount returns how many names a file has.
func LinkCount(info os.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Nlink)
	}
	return 1
}

// AccessFolder returns why files in a folder cannot be written: its permissions, or a
// file system that is read-only.
func AccessFolder(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }

// IsAlive reports whether a process exists. Where that cannot be seen, it does.
func IsAlive(pid int) bool {
	process, err := os.FindProcess(pid)
	return err == nil && !errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
