//go:build !linux && !darwin

package machine

// FolderID returns "": these systems have no inode, or no time of birth in package
// syscall. A folder that was moved there is another one.
func FolderID(string) string { return "" }
