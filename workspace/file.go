package workspace

import (
	"fmt"
	"os"
	"path"
	"strings"
	"time"

	"github.com/memory-tiered/memory/internal/lazyregexp"
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

var (
	// dashedDay matches 2026-11-20 and 2026-11-20-slug, whatever follows.
	dashedDay = lazyregexp.New(`^(\d{4})-(\d\d)-(\d\d)(?:[-_ .]|$)`)

	// otherDay matches 20261120, 2026_11_20 and 2026.11.20, also with a slug. A number
	// after it makes it a version, a telephone number or an id.
	otherDay = lazyregexp.New(`^((?:19|20)\d\d)(?:(\d\d)(\d\d)|_(\d\d)_(\d\d)|\.(\d\d)\.(\d\d))(?:[-_ ]+[^-_ \d]|$)`)

	// dayInMonth matches the folders 2026/11 and 2026-11 before 20.md.
	dayInMonth = lazyregexp.New(`(?:^|/)((?:19|20)\d\d)[/-](\d\d)/(\d\d)$`)
)

// DateOf returns the day in the name of a daily note, as the start of that day in zone:
// memory/2026-11-20.md or memory/2026-11-20-slug.md in any folder. Other tools write
// 20261120.md, 2026_11_20.md, 2026.11.20.md, 2026/11/20.md and 2026-11/20.md.
func DateOf(name string, zone *time.Location) (time.Time, bool) {
	stem := strings.TrimSuffix(name, path.Ext(name))
	base := path.Base(stem)
	found := dashedDay().FindStringSubmatch(base)
	if found == nil {
		found = otherDay().FindStringSubmatch(base)
	}
	if found == nil {
		found = dayInMonth().FindStringSubmatch(stem)
	}
	if found != nil {
		at, err := time.ParseInLocation("20060102", strings.Join(found[1:], ""), zone)
		return at, err == nil
	}
	return time.Time{}, false
}
