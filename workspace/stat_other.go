//go:build !linux && !darwin && !freebsd

package workspace

import (
	"os"
	"time"
)

// idAndChangeTime returns the zero ID and the modification time: these systems have
// neither inode nor change time.
func idAndChangeTime(info os.FileInfo) (fileID, time.Time) { return fileID{}, info.ModTime() }
