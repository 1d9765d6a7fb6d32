package dailynote

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/workspace"
)

// DailyPath returns the n-th daily note of a day.
func DailyPath(folder *workspace.Workspace, now time.Time, zone *time.Location, n int) string {
	return notePath(folder.DailyNote(now.In(zone)), n)
}

// IsAsBegun reports whether a file holds nothing but what the program began it with. It is
// empty then, or has the head of a captured file.
func IsAsBegun(src []byte) bool {
	return slices.Contains([]string{"", capturedHead, strings.TrimSuffix(capturedHead, "\n")}, string(src))
}

// notePath returns the n-th note of a day: "…-2.md" is the second.
func notePath(day string, n int) string {
	if n == 1 {
		return day + ".md"
	}
	return fmt.Sprintf("%s-%d.md", day, n)
}

// Appended is the note that a text was appended to.
type Appended struct {
	Path       string
	IsNew      bool     // there was no such file
	NewFolders []string // of the file that were made for it, the innermost first

	before, added []byte // its content before, and what was added to it; nil: nothing
}

// TakeBack makes a note again what it was before a text was appended to it. It fails if
// nothing was appended, or if the note has changed since.
func (a Appended) TakeBack(folder *workspace.Workspace, watch func(*workspace.LateAppends)) error {
	if a.added == nil {
		return memory.Conflict("nothing was appended to %s", a.Path)
	}
	late, err := folder.TakeBack(a.Path, a.before, a.added)
	watch(late)
	if err == nil {
		removeFolders(folder, a.NewFolders)
	}
	return err
}

// removeFolders removes folders that were made for a note, as far as they are empty. One
// that cannot be removed stays, because it does no harm.
func removeFolders(folder *workspace.Workspace, names []string) {
	for _, name := range names {
		_ = folder.RemoveFolder(name)
	}
}

// missingFolders returns the folders of a path that do not exist, the innermost first.
func missingFolders(folder *workspace.Workspace, name string) (missing []string) {
	for dir := path.Dir(name); dir != "." && !folder.Exists(dir); dir = path.Dir(dir) {
		missing = append(missing, dir)
	}
	return missing
}

// Append appends what fit returns to the first note of a day. It writes another note of
// the same day if the end of the note would swallow the text (an open fence). It does the
// same if the note has another encoding than UTF-8. watch gets what carries over late
// appends of other programs.
func Append(folder *workspace.Workspace, watch func(*workspace.LateAppends), note func(n int) string, fit func(current []byte) (added []byte, ok bool)) (Appended, error) {
	const most = 9 // notes of one day; nine to which nothing can be appended are no accident
	for n := 1; n <= most; n++ {
		swallowed, to := false, Appended{Path: note(n)}
		to.NewFolders = missingFolders(folder, to.Path)
		appends, err := folder.Append(to.Path, func(current []byte) []byte {
			added, ok := []byte(nil), utf8.Valid(current) && bytes.IndexByte(current, 0) < 0
			if ok {
				added, ok = fit(current)
			}
			swallowed, to.IsNew, to.before, to.added = !ok, current == nil, current, added
			return added
		})
		watch(appends)
		if err != nil && !errors.Is(err, workspace.ErrUnsynced) {
			removeFolders(folder, to.NewFolders)
		}
		if err != nil || !swallowed {
			return to, err
		}
	}
	return Appended{}, memory.Conflict("nothing can be appended to %s", note(1)).
		WithHint("close the code fence or comment that is open at the end of %s, and save it as UTF-8", note(1))
}
