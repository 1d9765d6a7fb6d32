//go:build darwin || freebsd

package machine

import (
	"os"
	"syscall"
	"time"
)

// IDAndChangeTime returns the device and inode of a file, and when its content or
// inode last changed.
func IDAndChangeTime(info os.FileInfo) (FileID, time.Time) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return FileID{}, info.ModTime()
	}
	return FileID{uint64(st.Dev), uint64(st.Ino)}, time.Unix(st.Ctimespec.Unix())
}
