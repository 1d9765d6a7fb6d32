//go:build linux || darwin

package machine

import "golang.org/x/sys/unix"

// FreeBytes returns how many bytes this process may write to the disk of a folder. It
// returns -1 if the system does not tell.
func FreeBytes(dir string) int64 {
	var disk unix.Statfs_t
	if unix.Statfs(dir, &disk) != nil {
		return -1
	}
	return int64(disk.Bavail) * int64(disk.Bsize)
}
