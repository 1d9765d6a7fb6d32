package workspace

import (
	"fmt"
	"os"
	"time"

	"github.com/memory-tiered/memory/internal/machine"
)

// File describes a Markdown file on disk.
type File struct {
	Path    string // slash-separated, relative to the workspace
	Size    int64
	ModTime time.Time

	// Stamp is opaque: equal stamps of one path mean equal bytes. A stamp taken so
	// soon after a change that another change could leave it equal is unique, so
	// that the file is read again.
	Stamp string

	id machine.FileID
}

// Version identifies the content by what only a write changes: size, modification
// time and inode. Unlike Stamp it does not change when a backup program makes a
// hard link, so a difference proves a write.
func (f File) Version() string {
	return fmt.Sprintf("%d %d %s", f.Size, f.ModTime.UnixNano(), f.id)
}

func newFile(name string, info os.FileInfo, now time.Time) File {
	id, changed := machine.IDAndChangeTime(info)
	f := File{Path: name, Size: info.Size(), ModTime: info.ModTime(), id: id}
	f.Stamp = fmt.Sprintf("%s %d", f.Version(), changed.UnixNano())
	if changedJustNow(changed, now) {
		f.Stamp = fmt.Sprintf("%s ?%d", f.Stamp, now.UnixNano())
	}
	return f
}

// Two writes within one tick of the file system's clock get the same time. The
// clock may be as coarse as the kernel's timer (10 ms at worst), as whole seconds,
// or as two seconds (FAT).
const (
	clockTick       = 50 * time.Millisecond
	coarseClockTick = 2 * time.Second
)

// changedJustNow reports whether another write now could get the same time.
func changedJustNow(changed, now time.Time) bool {
	within := clockTick
	if changed.Nanosecond() == 0 {
		within = coarseClockTick
	}
	return now.Sub(changed).Abs() < within
}
