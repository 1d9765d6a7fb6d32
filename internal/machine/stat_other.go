//go:build !linux && !darwin && !freebsd

package machine

import (
	"os"
	"time"
)

// IDAndChangeTime returns the zero ID and the modification time: these systems have
// neither inode nor change time.
func IDAndChangeTime(info os.FileInfo) (FileID, time.Time) { return FileID{}, info.ModTime() }
