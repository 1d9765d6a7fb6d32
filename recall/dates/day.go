package dates

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/workspace"
)

// WrittenOn returns the day on which a memory was written. It is that of the innermost
// heading with a date, else a declared one, else that of its file's name. A heading or a name
// may give a month alone. A creation time within a day comes from the file system; it
// dates the file, not the memory, so ok is false.
func WrittenOn(m *memory.Memory, zone *time.Location) (day Span, ok bool) {
	created := m.CreatedAt.In(zone)
	near := startOfDay(created)
	inName := inNames.of(m.Path)
	isDeclared := inName.month > 0 && hasDeclaredDay(m, zone)
	if inName.month > 0 && !isDeclared {
		near = inName.span(zone).From
	}
	if d := dateInHeadings(m.Heading); d.month > 0 {
		return d.near(near).span(zone), true
	}
	if inName.month > 0 && !isDeclared {
		return inName.span(zone), true
	}
	return daysFrom(near, 0, 1), isDeclared || near.Equal(created)
}

// hasDeclaredDay reports whether a memory has another day than its daily note: a declared one.
func hasDeclaredDay(m *memory.Memory, zone *time.Location) bool {
	note := noteDays.of(zonedName{m.Path, zone})
	return !note.IsZero() && !m.CreatedAt.IsZero() && !startOfDay(m.CreatedAt.In(zone)).Equal(note)
}

// zonedName is the name of a file in a time zone.
type zonedName struct {
	path string
	zone *time.Location
}

// noteDay returns the day of a daily note, or the zero time.
func noteDay(n zonedName) time.Time {
	day, _ := workspace.DateOf(n.path, n.zone)
	return day
}

// Written returns the day of a memory as 2006-01-02. Its headings give it, or a date that is
// declared in a daily note, or the name of its file. It is empty if none of them does.
func Written(m *memory.Memory, zone *time.Location) string {
	d := dateInHeadings(m.Heading)
	if hasDeclaredDay(m, zone) {
		if d.day == 0 {
			return m.CreatedAt.In(zone).Format(time.DateOnly)
		}
	} else if inName := inNames.of(m.Path); d.month == 0 {
		d = inName
	} else if inName.month > 0 {
		d = d.near(inName.span(time.UTC).From)
	}
	if d.day == 0 {
		return ""
	}
	return d.near(m.CreatedAt).span(time.UTC).From.Format(time.DateOnly)
}

// dateInHeadings returns the date of the innermost heading that has a day, or a month
// with its year.
func dateInHeadings(headings []string) partialDate {
	for _, h := range slices.Backward(headings) {
		if d := inHeadings.of(h); d.month > 0 {
			return d
		}
	}
	return partialDate{}
}

// dateInHeading returns the first date of a heading that has a day, or a month with its year.
func dateInHeading(heading string) partialDate {
	return firstDate(heading, 0, func(d partialDate) bool { return !d.swappable && d.month > 0 && (d.day > 0 || d.year > 0) })
}

// remembered keeps the dates in the last names that were read: many memories share a heading
// or a file.
type remembered[K comparable, D any] struct {
	read  func(K) D
	mu    sync.Mutex
	dates map[K]D
}

var (
	inHeadings = remembered[string, partialDate]{read: dateInHeading}
	inNames    = remembered[string, partialDate]{read: dateInName}
	noteDays   = remembered[zonedName, time.Time]{read: noteDay}
)

func (r *remembered[K, D]) of(name K) D {
	const most = 4096
	r.mu.Lock()
	defer r.mu.Unlock()
	d, known := r.dates[name]
	if known {
		return d
	}
	if len(r.dates) == most || r.dates == nil {
		r.dates = map[K]D{}
	}
	d = r.read(name)
	r.dates[name] = d
	return d
}

// firstDate returns the first date in a text that is wanted. At the token expected, a date is.
func firstDate(text string, expected int, wanted func(partialDate) bool) partialDate {
	isNumber := func(r rune) bool { return unicode.IsDigit(r) || tables().numerals[r] > 0 }
	if !strings.ContainsFunc(text, isNumber) {
		return partialDate{}
	}
	r := newReader(text, time.Time{})
	for i := 0; i < len(r.tokens); i++ {
		m := r.nested("date", i, i == expected)
		if len(m.date) > 0 {
			if wanted(m.date[0]) {
				return m.date[0]
			}
			i = m.to - 1
		}
	}
	return partialDate{}
}

// nameForms has the dates in names of files: 2026-11-12, 2026_11_12, 20261112 and 2026-11, anywhere in
// the name, and the folders 2026/11/12.
var nameForms = lazyregexp.New(`(?:^|\D)(\d{4})[-_.](\d{2})(?:[-_.](\d{2}))?(?:\D|$)|(?:^|\D)(\d{4})(\d{2})(\d{2})(?:\D|$)`)

// folders matches the folders of a day.
var folders = lazyregexp.New(`(?:^|/)(\d{4})/(\d{2})/(\d{2})(?:\D|$)`)

// dateInName reads the day or the month in the name of a file.
func dateInName(file string) partialDate {
	if !strings.ContainsAny(file, "0123456789") {
		return partialDate{}
	}
	for _, m := range [][]string{nameForms.FindStringSubmatch(path.Base(file)), folders.FindStringSubmatch(file)} {
		var parts []int
		for _, group := range m[min(1, len(m)):] {
			if n, err := strconv.Atoi(group); err == nil {
				parts = append(parts, n)
			}
		}
		if len(parts) < 2 {
			continue
		}
		d := partialDate{year: parts[0], month: time.Month(parts[1])}
		if len(parts) > 2 {
			d.day = parts[2]
		}
		if d = d.existing(len(parts) > 2); d.month > 0 {
			return d
		}
	}
	return partialDate{}
}

// maxTextDates bounds the dates that are read from one text.
const maxTextDates = 4

// MatchMemory returns the signals "month" and "day" of a memory. They are those of
// the day on which it was written, or of a time that its own text names. "I saw the
// doctor yesterday", written on 8 May, is about 7 May.
func (d Named) MatchMemory(m *memory.Memory, zone *time.Location) (month, day float64) {
	if !d.IsSet() {
		return 0, 0
	}
	written, _ := WrittenOn(m, zone)
	month, day = d.matchSpan(written)
	if month+day == 2 {
		return month, day
	}
	for _, s := range textDates(m.Text, written.From) {
		m, n := d.matchSpan(s)
		month, day = max(month, m), max(day, n)
	}
	return month, day
}

// matchSpan returns the signals "month" and "day" of a time. A long one is on no day.
func (d Named) matchSpan(s Span) (month, day float64) {
	month, day = d.matchDate(s.From.Add(s.To.Sub(s.From) / 2))
	return month, day * isOneDay(s)
}

// textDates returns the times that a text names, at most a week long: a longer one
// tells too little about the day. Relative ones count from the day of writing.
func textDates(text string, written time.Time) (dates []Span) {
	r := newReader(text, written)
	for i := 0; i < len(r.tokens) && len(dates) < maxTextDates; i++ {
		m := r.nested("time", i, false)
		switch {
		case m.to == 0:
			continue
		case len(m.date) > 0 && m.date[0].day > 0:
			for _, reading := range m.date {
				dates = append(dates, reading.near(written).span(written.Location()))
			}
		case len(m.whole) > 0 && m.whole[0].IsWithin(daysInWeek) && !slices.Contains(dates, m.whole[0]):
			dates = append(dates, m.whole[0])
		}
		i = m.to - 1
	}
	return dates
}

// maxSpelledDays is the longest span whose days are spelled. Of a longer one the months
// are.
const maxSpelledDays = 7

// maxCompactDays is the longest span whose days are spelled as in names of files: 20261103.
// Such a word has no month in it.
const maxCompactDays = 31

// Spellings returns the words with which texts, headings and names of files give the days
// of a span. It returns none for a span that is open or longer than a year.
func Spellings(s Span) (words []string) {
	if s.From.IsZero() || s.To.IsZero() || s.To.After(s.From.AddDate(1, 0, 0)) {
		return nil
	}
	for at := s.From; at.Before(s.To); at = at.AddDate(0, 0, 1) {
		words = append(words, strconv.Itoa(at.Year()), at.Format("01"))
		words = append(words, tables().spelling[int(at.Month())]...)
		if s.IsWithin(maxCompactDays) {
			words = append(words, at.Format("20060102"))
		}
		if s.IsWithin(maxSpelledDays) {
			words = append(words, strconv.Itoa(at.Day()), at.Format("02"), lang.Ordinal(at.Day()))
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// Holds reports whether a memory was written within a span, or names a time within it.
// day is the first day of that time.
func Holds(s Span, m *memory.Memory, zone *time.Location) (day time.Time, ok bool) {
	written, dated := WrittenOn(m, zone)
	if dated && s.Covers(written) {
		return written.From, true
	}
	for _, named := range textDates(m.Text, written.From) {
		if s.Covers(named) {
			return named.From, true
		}
	}
	return time.Time{}, false
}
