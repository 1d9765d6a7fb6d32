package dates

import (
	"path"
	"slices"
	"strconv"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/recall/calendar"
	"github.com/memory-tiered/memory/workspace"
)

// DayOf returns the day that a memory is about: one that its text names, else the day on
// which it was written.
func DayOf(m *memory.Memory, zone *time.Location) (day Span, ok bool) {
	written, dated := WrittenOn(m, zone)
	if d := firstDay(m.Text); d.Day > 0 {
		return d.InferYearNear(written.From).Span(zone), true
	}
	return written, dated
}

// WrittenOn returns the day on which a memory was written. It is that of the innermost
// heading with a date, else a declared one, else that of its file's name. A heading or a name
// may give a month alone. A creation time within a day comes from the file system; it
// dates the file, not the memory, so ok is false.
func WrittenOn(m *memory.Memory, zone *time.Location) (day Span, ok bool) {
	created := m.CreatedAt.In(zone)
	near := calendar.StartOfDay(created)
	inName := dateInName(m.Path)
	isDeclared := inName.Month > 0 && hasDeclaredDay(m, zone)
	if inName.Month > 0 && !isDeclared {
		near = inName.Span(zone).From
	}
	if d := dateInHeadings(m.Heading); d.Month > 0 {
		return d.InferYearNear(near).Span(zone), true
	}
	if inName.Month > 0 && !isDeclared {
		return inName.Span(zone), true
	}
	return calendar.Days(near, 0, 1), isDeclared || near.Equal(created)
}

// hasDeclaredDay reports whether a memory has another day than its daily note: a declared one.
func hasDeclaredDay(m *memory.Memory, zone *time.Location) bool {
	note, isNote := workspace.DateOf(m.Path, zone)
	return isNote && !m.CreatedAt.IsZero() && !calendar.StartOfDay(m.CreatedAt.In(zone)).Equal(note)
}

// Written returns the day of a memory as 2006-01-02. Its headings give it, or a date that is
// declared in a daily note, or the name of its file. It is empty if none of them does.
func Written(m *memory.Memory, zone *time.Location) string {
	d := dateInHeadings(m.Heading)
	if hasDeclaredDay(m, zone) {
		if d.Day == 0 {
			return m.CreatedAt.In(zone).Format(time.DateOnly)
		}
	} else if inName := dateInName(m.Path); d.Month == 0 {
		d = inName
	} else if inName.Month > 0 {
		d.Date = d.InferYearNear(inName.Span(time.UTC).From)
	}
	if d.Day == 0 {
		return ""
	}
	return d.InferYearNear(m.CreatedAt).Span(time.UTC).From.Format(time.DateOnly)
}

// dateInHeadings returns the date of the innermost heading that has a day, or a month
// with its year.
func dateInHeadings(headings []string) partialDate {
	for _, h := range slices.Backward(headings) {
		if !mayHaveDate(h) {
			continue
		}
		tokens := tokenise(h)
		for i := range tokens {
			if d, n := parseDate(tokens[i:], i == 0); n > 0 && !d.swappable && (d.Day > 0 || d.Month > 0 && d.Year > 0) {
				return d
			}
		}
	}
	return partialDate{}
}

// mayHaveDate is a quick test: a date has a digit.
func mayHaveDate(text string) bool {
	for i := range len(text) {
		if isDigit(text[i]) {
			return true
		}
	}
	return false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// firstDay returns the first day that a text names.
func firstDay(text string) partialDate {
	tokens := tokenise(text)
	for i := range tokens {
		if d, n := parseDate(tokens[i:], false); n > 0 && d.Day > 0 {
			return d
		}
	}
	return partialDate{}
}

// The dates in names of files: 2026-11-12, 2026_11_12, 20261112 and 2026-11, anywhere in
// the name, and the folders 2026/11/12.
var (
	separated = lazyregexp.New(`(?:^|\D)(\d{4})[-_.](\d{2})(?:[-_.](\d{2}))?(?:\D|$)`)
	compact   = lazyregexp.New(`(?:^|\D)(\d{4})(\d{2})(\d{2})(?:\D|$)`)
	folders   = lazyregexp.New(`(?:^|/)(\d{4})/(\d{2})/(\d{2})(?:\D|$)`)
)

// dateInName reads the day or the month in the name of a file.
func dateInName(file string) partialDate {
	if !mayHaveDate(file) {
		return partialDate{}
	}
	base := path.Base(file)
	for _, form := range [...]struct {
		pattern *lazyregexp.Regexp
		name    string
	}{{separated, base}, {compact, base}, {folders, file}} {
		m := form.pattern.FindStringSubmatch(form.name)
		if m == nil {
			continue
		}
		year, _ := strconv.Atoi(m[1])
		month, _ := strconv.Atoi(m[2])
		day, _ := strconv.Atoi(m[3]) // 0 if it is not there
		d := partialDate{Date: calendar.Date{Day: day, Month: time.Month(month), Year: year}}.existing(m[3] != "")
		if d.Month > 0 {
			return d
		}
	}
	return partialDate{}
}
