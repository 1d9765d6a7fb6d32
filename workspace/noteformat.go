package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// NoteFormat is how the files of days are named. A nil NoteFormat is the usual one:
// memory/2026-11-20.md.
type NoteFormat struct {
	folder string // with a slash at its end; empty: the workspace
	layout string // of package time, for the rest of the name without its suffix
}

// momentTokens are the tokens of Moment.js, which Obsidian uses, with those of package time.
var momentTokens = map[string]string{"YYYY": "2006", "YY": "06", "MMMM": "January", "MMM": "Jan", "MM": "01", "M": "1",
	"DDDD": "002", "DD": "02", "D": "2", "dddd": "Monday", "ddd": "Mon"}

// usualFormat is the format of a note of which only the folder is known.
const usualFormat = "YYYY-MM-DD"

// daysOfYear is the number of days with different months and days.
const daysOfYear = 366

// ParseNoteFormat reads a format such as YYYY/MM/YYYY-MM-DD. A text in brackets stands for
// itself. The format has to name one day, and a file that can be a memory's.
func ParseNoteFormat(folder, format string) (*NoteFormat, error) {
	f := &NoteFormat{}
	if folder = path.Clean(strings.Trim(folder, "/")); folder != "." {
		f.folder = folder + "/"
	}
	var err error
	if f.layout, err = momentLayout(cmp.Or(format, usualFormat)); err != nil {
		return nil, memory.Invalid("", "the format %q of daily notes: %s", format, err).
			WithHint("a format has the tokens %s, and other letters in brackets: [Note] YYYY-MM-DD", strings.Join(slices.Sorted(maps.Keys(momentTokens)), ", "))
	}
	sample := time.Date(2031, 10, 29, 0, 0, 0, 0, time.UTC)
	for n := range daysOfYear { // 2031-11-1 and 2031-1-11 are one name in some formats
		day := sample.AddDate(0, 0, n)
		if found, ok := f.day(f.path(day), time.UTC); !ok || !found.Equal(day) {
			return nil, memory.Invalid("", "the format %q of daily notes does not name one day", format).WithHint("it needs a year, a month and a day: YYYY-MM-DD")
		}
	}
	if neverIndexed(f.path(sample)+".md", false) {
		return nil, memory.Invalid("", "the daily notes %s/%s are in a hidden folder, or outside of the workspace", folder, format).
			WithHint("name a visible folder of the workspace")
	}
	return f, nil
}

// momentLayout translates a format of Moment.js to package time.
func momentLayout(format string) (string, error) {
	var layout strings.Builder
	for rest := format; rest != ""; {
		first, size := utf8.DecodeRuneInString(rest)
		run := rest[:len(rest)-len(strings.TrimLeft(rest, string(first)))]
		text := rest[:size]
		switch {
		case first == '[':
			inside, _, closed := strings.Cut(rest[1:], "]")
			if !closed {
				return "", errors.New("a bracket is not closed")
			}
			text, run = inside, rest[:len(inside)+2]
		case momentTokens[run] != "":
			layout.WriteString(momentTokens[run])
			rest = rest[len(run):]
			continue
		case first < utf8.RuneSelf && unicode.IsLetter(first):
			return "", fmt.Errorf("the token %q is not known", run)
		default:
			run = text
		}
		if (time.Time{}).Format(text) != text {
			return "", fmt.Errorf("%q would be read as a part of the date", text)
		}
		layout.WriteString(text)
		rest = rest[len(run):]
	}
	return layout.String(), nil
}

// path returns the name of a day's note without its suffix.
func (f *NoteFormat) path(day time.Time) string {
	if f == nil {
		return "memory/" + day.Format(time.DateOnly)
	}
	return f.folder + day.Format(f.layout)
}

// day returns the day of a name without its suffix. A second note of a day ends in -2.
func (f *NoteFormat) day(stem string, zone *time.Location) (time.Time, bool) {
	name, inFolder := strings.CutPrefix(stem, f.folder)
	if !inFolder {
		return time.Time{}, false
	}
	at, err := time.ParseInLocation(f.layout, name, zone)
	if n := len(name) - 2; err != nil && n > 0 && name[n] == '-' && strings.Contains("23456789", name[n+1:]) {
		at, err = time.ParseInLocation(f.layout, name[:n], zone)
	}
	return at, err == nil
}

// DateOf returns the day in the name of a note, as the start of that day in zone. The name
// has this format, or one of those of the function [DateOf].
func (f *NoteFormat) DateOf(name string, zone *time.Location) (time.Time, bool) {
	if f != nil {
		if at, ok := f.day(strings.TrimSuffix(name, path.Ext(name)), zone); ok {
			return at, true
		}
	}
	return DateOf(name, zone)
}

// DailyNote returns the name of a day's note without its suffix. Where no pattern of the
// workspace matches the note, it is the usual one.
func (w *Workspace) DailyNote(day time.Time) string {
	if name := w.notes.path(day); w.Indexable(name + ".md") {
		return name
	}
	return (*NoteFormat)(nil).path(day)
}
