package store

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/recall/dates"
	"github.com/memory-tiered/memory/workspace"
)

// dailyPath returns the n-th daily note of a day.
func dailyPath(now time.Time, zone *time.Location, n int) string {
	return notePath("memory/"+now.In(zone).Format(time.DateOnly), n)
}

// IsAsBegun reports whether a file holds nothing but what the program began it with. It is
// empty then, or has the head of a captured file or of that of names.
func IsAsBegun(src []byte) bool {
	return slices.Contains([]string{"", capturedHead, strings.TrimSuffix(capturedHead, "\n"), namesHead, strings.TrimSuffix(namesHead, "\n")}, string(src))
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

// appendNote appends what fit returns to the first note of a day. It writes another note of
// the same day if the end of the note would swallow the text (an open fence). It does the
// same if the note has another encoding than UTF-8. watch gets what carries over late
// appends of other programs.
func appendNote(folder *workspace.Workspace, watch func(*workspace.LateAppends), note func(n int) string, fit func(current []byte) (added []byte, ok bool)) (Appended, error) {
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

// fitBullet returns a bullet to append to a file. With it, the file has its old blocks
// and the text with its mark, and nothing else.
func fitBullet(current []byte, admitted Text, d memory.Declared) (bullet []byte, ok bool) {
	text := admitted.text
	before := chunker.Blocks(current, frontmatter.Parse(current, time.UTC).BodyStart)
	for _, gap := range []string{"", "\n"} { // with and without a blank line before it
		for _, form := range chunker.MarkedBullets(text, d) {
			next := bytes.Clone(current)
			if len(next) > 0 && next[len(next)-1] != '\n' {
				next = append(next, '\n')
			}
			next = append(next, gap+form...)
			after := chunker.Blocks(next, frontmatter.Parse(next, time.UTC).BodyStart)
			if len(after) == len(before)+1 && after[len(before)].Text == text && isProtected(after[len(before)], d) && sameMemories(before, after) {
				return []byte(gap + form), true
			}
		}
	}
	return nil, false
}

// fitBelow returns what to append to a file that begins with a head: the head if it is new, and
// a bullet.
func fitBelow(head string, current []byte, text Text, d memory.Declared) (added []byte, ok bool) {
	if len(current) > 0 {
		head = ""
	}
	bullet, ok := fitBullet([]byte(head+string(current)), text, d)
	return append([]byte(head), bullet...), ok
}

// sameMemories reports whether the first blocks of after are those of before, and
// declared as they were. A comment at the end of a file may mean the text above it; it
// must not become that of a new text below it.
func sameMemories(before, after []memory.Block) bool {
	for i, b := range before {
		if after[i].Fingerprint != b.Fingerprint || !reflect.DeepEqual(after[i].Annotations, b.Annotations) {
			return false
		}
	}
	return true
}

// quoteMarks lists the marks of quotations and code. Each of these has two.
const quoteMarks = "\"“”„«»「」『』`"

// withDays returns a text with a date behind each relative day, because its words mean another
// day later: "The dentist is tomorrow (2026-11-24)". The first mention of a day gets the date,
// unless the text names it already. What is in a quotation or in code gets none.
func withDays(text string, at time.Time) string {
	var dated strings.Builder
	end, seen := 0, map[time.Time]bool{}
	for _, d := range dates.RelativeDays(text, at) {
		if seen[d.Day] || isQuoted(text, d.To) {
			continue
		}
		if seen[d.Day] = true; d.HasDate {
			continue
		}
		format := " (2006-01-02)"
		if d.InCJK {
			format = "（2006年1月2日）"
		}
		dated.WriteString(text[end:d.To])
		dated.WriteString(d.Day.Format(format))
		end = d.To
	}
	return dated.String() + text[end:]
}

// isQuoted reports whether a quotation begins before an offset and ends behind it.
func isQuoted(text string, at int) bool {
	return countQuoteMarks(text[:at])%2 == 1 && countQuoteMarks(text[at:]) > 0
}

func countQuoteMarks(text string) (n int) {
	for i := strings.IndexAny(text, quoteMarks); i >= 0; i = strings.IndexAny(text, quoteMarks) {
		_, size := utf8.DecodeRuneInString(text[i:])
		text = text[i+size:]
		n++
	}
	return n
}
