//go:build darwin || freebsd

package workspace

import (
	"os"
	"syscall"
	"time"
)

// idAndChangeTime returns the device and inode of a file, and when its content or
// inode last changed.
func idAndChangeTime(info os.FileInfo) (fileID, time.Time) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fileID{}, info.ModTime()
	}
	return fileID{uint64(st.Dev), uint64(st.Ino)}, time.Unix(st.Ctimespec.Unix())
}
