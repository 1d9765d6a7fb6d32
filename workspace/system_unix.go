//go:build unix && !solaris && !aix

package workspace

import (
	"errors"
	"os"
	"syscall"
)

// noWait opens a pipe that someone put in a file's place without waiting for
// its other end.
const noWait = syscall.O_NONBLOCK

// lock marks f as being written, until it is closed; false: someone else has.
// Where the file system knows no locks nobody is kept out.
func lock(f *os.File) bool {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return !errors.Is(err, syscall.EWOULDBLOCK)
}

func keepOwner(f *os.File, old os.FileInfo) {
	if st, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(st.Uid), int(st.Gid)) // only root may; others own what they edit
	}
}
