package workspace

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// NoteFormat is how the files of days are named. The same description writes a name and
// reads it. A nil NoteFormat is the usual one: memory/2026-11-20.md.
type NoteFormat struct {
	parts []notePart
	name  *regexp.Regexp // of such a file without its suffix; a group for each part of the day
	read  string         // the layout of the groups, with a separator between them
}

// notePart is a token, or a text that stands for itself.
type notePart struct {
	token *noteToken
	text  string
}

// noteToken is a token of Moment.js, which Obsidian uses.
type noteToken struct {
	token, layout string // layout is the same in package time; empty: the ISO week
	pattern       string
	ofDay         bool // reading uses it; the others only have to match
}

var noteTokens = []noteToken{
	{"YYYY", "2006", `\d{4}`, true}, {"YY", "06", `\d\d`, true},
	{"MMMM", "January", `\pL+`, true}, {"MMM", "Jan", `\pL+`, true}, {"MM", "01", `\d\d`, true}, {"M", "1", `\d\d?`, true},
	{"DDDD", "002", `\d{3}`, true}, {"DD", "02", `\d\d`, true}, {"D", "2", `\d\d?`, true},
	{"dddd", "Monday", `\pL+`, false}, {"ddd", "Mon", `\pL+`, false},
	{"GGGG", "", `\d{4}`, false}, {"WW", "", `\d\d`, false}, {"W", "", `\d\d?`, false},
}

// write returns what the token stands for on a day.
func (t *noteToken) write(day time.Time) string {
	year, week := day.ISOWeek()
	switch t.token {
	case "GGGG":
		return fmt.Sprintf("%04d", year)
	case "WW":
		return fmt.Sprintf("%02d", week)
	case "W":
		return fmt.Sprint(week)
	}
	return day.Format(t.layout)
}

// usualFormat is the format of a note of which only the folder is known.
const usualFormat = "YYYY-MM-DD"

// ParseNoteFormat reads a format such as YYYY/MM/YYYY-MM-DD. A text in brackets stands for
// itself. The format has to name one day, and a file that can be a memory's.
func ParseNoteFormat(folder, format string) (*NoteFormat, error) {
	if format == "" {
		format = usualFormat
	}
	f := &NoteFormat{}
	if folder = path.Clean(strings.Trim(folder, "/")); folder != "." {
		f.parts = append(f.parts, notePart{text: folder + "/"})
	}
	for rest := format; rest != ""; {
		part, length, err := nextNotePart(rest)
		if err != nil {
			return nil, memory.Invalid("", "the format %q of daily notes: %s", format, err).
				WithHint("a format has the tokens %s, and other letters in brackets: [Note] YYYY-MM-DD", tokenNames())
		}
		f.parts, rest = append(f.parts, part), rest[length:]
	}
	f.compile()
	sample := time.Date(2031, 10, 29, 0, 0, 0, 0, time.UTC)
	if day, ok := f.day(f.path(sample), time.UTC); !ok || !day.Equal(sample) {
		return nil, memory.Invalid("", "the format %q of daily notes does not name one day", format).WithHint("it needs a year, a month and a day: YYYY-MM-DD")
	}
	if neverIndexed(f.path(sample)+".md", false) {
		return nil, memory.Invalid("", "the daily notes %s/%s are in a hidden folder, or outside of the workspace", folder, format).
			WithHint("name a visible folder of the workspace")
	}
	return f, nil
}

// nextNotePart returns the part at the beginning of a format, and its length there.
func nextNotePart(rest string) (part notePart, length int, err error) {
	if text, found := strings.CutPrefix(rest, "["); found {
		text, _, closed := strings.Cut(text, "]")
		if !closed {
			return part, 0, fmt.Errorf("a bracket is not closed")
		}
		return notePart{text: text}, len(text) + 2, nil
	}
	first, size := utf8.DecodeRuneInString(rest)
	run := rest[:len(rest)-len(strings.TrimLeft(rest, string(first)))]
	for i := range noteTokens {
		if noteTokens[i].token == run {
			return notePart{token: &noteTokens[i]}, len(run), nil
		}
	}
	if first >= 'A' && first <= 'Z' || first >= 'a' && first <= 'z' {
		return part, 0, fmt.Errorf("the token %q is not known", run)
	}
	return notePart{text: rest[:size]}, size, nil
}

func tokenNames() string {
	var names []string
	for _, t := range noteTokens {
		names = append(names, t.token)
	}
	return strings.Join(names, ", ")
}

func (f *NoteFormat) compile() {
	var pattern strings.Builder
	var layouts []string
	for _, p := range f.parts {
		switch {
		case p.token == nil:
			pattern.WriteString(regexp.QuoteMeta(p.text))
		case p.token.ofDay:
			pattern.WriteString("(" + p.token.pattern + ")")
			layouts = append(layouts, p.token.layout)
		default:
			pattern.WriteString(p.token.pattern)
		}
	}
	f.name, f.read = regexp.MustCompile("^"+pattern.String()+`(?:-[2-9])?$`), strings.Join(layouts, "|")
}

// path returns the name of a day's note without its suffix.
func (f *NoteFormat) path(day time.Time) string {
	if f == nil {
		return "memory/" + day.Format(time.DateOnly)
	}
	var b strings.Builder
	for _, p := range f.parts {
		if p.token == nil {
			b.WriteString(p.text)
		} else {
			b.WriteString(p.token.write(day))
		}
	}
	return b.String()
}

func (f *NoteFormat) day(stem string, zone *time.Location) (time.Time, bool) {
	found := f.name.FindStringSubmatch(stem)
	if found == nil {
		return time.Time{}, false
	}
	at, err := time.ParseInLocation(f.read, strings.Join(found[1:], "|"), zone)
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
