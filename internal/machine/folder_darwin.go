package machine

import (
	"fmt"
	"os"
	"syscall"
)

// FolderID returns the device, the inode and the time of birth of a folder; "" where the
// file system does not tell all of them.
func FolderID(dir string) string {
	info, err := os.Stat(dir)
	if err != nil {
		return ""
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || st.Birthtimespec.Sec <= 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d/%d.%09d", st.Dev, st.Ino, st.Birthtimespec.Sec, st.Birthtimespec.Nsec)
}
