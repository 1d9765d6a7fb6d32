package workspace

import (
	"fmt"
	"os"
	"time"

	"github.com/memory-tiered/memory"
)

// File is one Markdown file as a look at the disk found it.
type File struct {
	Path    string // slash-separated, relative to the workspace
	Size    int64
	ModTime time.Time

	// Stamp is opaque: equal stamps of one path mean equal bytes. One that was
	// taken so soon after a change that a second change could hide behind it
	// equals no other, so that the file is read again.
	Stamp string

	id identity
}

// Version tells two looks at a file apart by what only a write changes: size,
// modification time and which file it is. Unlike Stamp it stays as it is when a
// backup program makes a hard link, so a difference is evidence of a write.
func (f File) Version() string {
	return fmt.Sprintf("%d %d %s", f.Size, f.ModTime.UnixNano(), f.id)
}

// identity tells which file a path leads to; the zero value is not known.
type identity struct{ device, inode uint64 }

func (i identity) String() string { return fmt.Sprintf("%x:%x", i.device, i.inode) }

func newFile(name string, info os.FileInfo, now time.Time) File {
	id, changed := details(info)
	f := File{Path: name, Size: info.Size(), ModTime: info.ModTime(), id: id}
	f.Stamp = fmt.Sprintf("%s %d", f.Version(), changed.UnixNano())
	if hasty(changed, now) {
		f.Stamp = fmt.Sprintf("%s ?%d", f.Stamp, now.UnixNano())
	}
	return f
}

// A file system's clock may tick as slowly as a kernel's timer (10 ms at
// worst), or keep whole seconds or even two of them (FAT): two writes within
// one tick look alike.
const (
	tick       = 50 * time.Millisecond
	coarseTick = 2 * time.Second
)

func hasty(changed, now time.Time) bool {
	within := tick
	if changed.Nanosecond() == 0 {
		within = coarseTick
	}
	return now.Sub(changed).Abs() < within
}

// TooLarge says that a file is over the workspace's limit. Nothing of it is
// indexed.
type TooLarge struct {
	Path      string
	Size, Max int64
}

func (e *TooLarge) Error() string { return e.Path + ": " + e.Fault().Message }

// Unwrap makes it a memory.ErrInvalid.
func (e *TooLarge) Unwrap() error { return memory.ErrInvalid }

// Fault is the same for the list of faults.
func (e *TooLarge) Fault() memory.Fault {
	return memory.Fault{Path: e.Path, Message: fmt.Sprintf(
		"%.1f MiB is over the limit of %.1f MiB for a file: not indexed", mib(e.Size), mib(e.Max))}
}

func mib(n int64) float64 { return float64(n) / (1 << 20) }
