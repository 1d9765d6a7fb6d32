package machine

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// FolderID returns the device, the inode and the time of birth of a folder; "" where the
// file system does not tell all of them.
func FolderID(dir string) string {
	var st unix.Statx_t
	if err := unix.Statx(unix.AT_FDCWD, dir, 0, unix.STATX_INO|unix.STATX_BTIME, &st); err != nil || st.Mask&unix.STATX_BTIME == 0 {
		return ""
	}
	return fmt.Sprintf("%d:%d/%d/%d.%09d", st.Dev_major, st.Dev_minor, st.Ino, st.Btime.Sec, st.Btime.Nsec)
}
