//go:build !unix || solaris || aix

package workspace

import "os"

const openNoWait = 0

// tryLock does nothing: Windows does not remove a file that is in use.
func tryLock(*os.File) bool { return true }

func copyOwner(*os.File, os.FileInfo) {}

func linkCount(os.FileInfo) int { return 1 }

// accessFolder does not know: folders on Windows have no such flag.
func accessFolder(string) error { return nil }
