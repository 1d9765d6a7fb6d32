//go:build !unix || solaris || aix

package machine

import "os"

// The flags of other systems have no equivalent here.
const (
	OpenNoWait = 0
	NoFollow   = 0
)

// TryLock does nothing: Windows does not remove a file that is in use.
func TryLock(*os.File) bool { return true }

// CopyOwner does nothing: a new file has the owner of its folder.
func CopyOwner(*os.File, os.FileInfo) {}

// OwnerOf does not know.
func OwnerOf(os.FileInfo) (uid int, known bool) { return 0, false }

// LinkCount returns 1: nothing tells the number.
func LinkCount(os.FileInfo) int { return 1 }

// AccessFolder returns nil: folders on Windows have no such flag.
func AccessFolder(string) error { return nil }

// IsAlive reports whether a process exists.
func IsAlive(pid int) bool {
	_, err := os.FindProcess(pid)
	return err == nil
}
