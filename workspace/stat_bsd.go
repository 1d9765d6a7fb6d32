//go:build darwin || freebsd

package workspace

import (
	"os"
	"syscall"
	"time"
)

// details gives which file this is and when its content or inode last changed.
func details(info os.FileInfo) (identity, time.Time) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return identity{}, info.ModTime()
	}
	return identity{uint64(st.Dev), uint64(st.Ino)}, time.Unix(st.Ctimespec.Unix())
}
