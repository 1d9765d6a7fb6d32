package dailynote

import (
	"bytes"
	"fmt"
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
	Path  string
	IsNew bool // there was no such file
}

// Append appends what fit returns to the first note of a day. It writes another note of
// the same day if the end of the note would swallow the text (an open fence). It does the
// same if the note has another encoding than UTF-8. watch gets what carries over late
// appends of other programs.
func Append(folder *workspace.Workspace, watch func(*workspace.LateAppends), note func(n int) string, fit func(current []byte) (added []byte, ok bool)) (Appended, error) {
	const most = 9 // notes of one day; nine to which nothing can be appended are no accident
	for n := 1; n <= most; n++ {
		path := note(n)
		swallowed, isNew := false, false
		appends, err := folder.Append(path, func(current []byte) []byte {
			added, ok := []byte(nil), utf8.Valid(current) && bytes.IndexByte(current, 0) < 0
			if ok {
				added, ok = fit(current)
			}
			swallowed, isNew = !ok, current == nil
			return added
		})
		watch(appends)
		if err != nil || !swallowed {
			return Appended{path, isNew}, err
		}
	}
	return Appended{}, memory.Conflict("nothing can be appended to %s", note(1)).
		WithHint("close the code fence or comment that is open at the end of %s, and save it as UTF-8", note(1))
}
