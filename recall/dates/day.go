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

// headingDates remembers the dates of headings, which most memories and questions share.
var headingDates = sync.Pool{New: func() any { return map[string]partialDate{} }}

// maxHeadingDates bounds the headings that are remembered.
const maxHeadingDates = 4096

// WrittenOn returns the day on which a memory was written. It is that of the innermost
// heading with a date, else a declared one, else that of its file's name. A heading
// may give a month alone. A creation time within a day comes from the file system; it
// dates the file, not the memory, so ok is false.
func WrittenOn(m *memory.Memory, zone *time.Location) (day Span, ok bool) {
	created := m.CreatedAt.In(zone)
	near := startOfDay(created)
	if ok = !m.CreatedAt.IsZero(); ok && !near.Equal(created) {
		_, ok = workspace.DateOf(m.Path, zone) // of a note with another day, which is declared
	}
	if !ok {
		if inName, named := dateInName(m.Path, zone); named {
			near, ok = inName, true
		}
	}
	known := headingDates.Get().(map[string]partialDate)
	defer headingDates.Put(known)
	for _, heading := range slices.Backward(m.Heading) {
		d, read := known[heading]
		if !read {
			if len(known) >= maxHeadingDates {
				clear(known)
			}
			d = dateInHeading(heading)
			known[strings.Clone(heading)] = d // it may share memory with a text
		}
		if d.month > 0 {
			return d.near(near).span(zone), true
		}
	}
	return daysFrom(near, 0, 1), ok
}

// Written returns the day of a memory as 2006-01-02, or "" if it has none.
func Written(m *memory.Memory, zone *time.Location) string {
	if day, ok := WrittenOn(m, zone); ok && day.IsDay() {
		return day.From.Format(time.DateOnly)
	}
	return ""
}

// dateInHeading returns the first date of a heading that has a day, or a month with its year.
func dateInHeading(heading string) partialDate {
	isNumber := func(r rune) bool { return unicode.IsDigit(r) || tables().numerals[r] > 0 }
	if !strings.ContainsFunc(heading, isNumber) {
		return partialDate{}
	}
	r := newReader(heading, time.Time{})
	for i := 0; i < len(r.tokens); i++ {
		m := r.mentionAt(i, nestedLevels["date"], i == 0)
		if m.date.month > 0 && (m.date.day > 0 || m.date.year > 0) {
			return m.date
		}
		i = max(i, m.to-1)
	}
	return partialDate{}
}

// dayInFile matches a day anywhere in the name of a file: meeting-2026-11-18.md.
var dayInFile = lazyregexp.New(`(?:^|\D)(\d{4})[-_.](\d{2})[-_.](\d{2})(?:\D|$)`)

// dateInName returns the day in the name of a file.
func dateInName(file string, zone *time.Location) (day time.Time, ok bool) {
	found := dayInFile().FindStringSubmatch(path.Base(file))
	if found == nil {
		return time.Time{}, false
	}
	day, err := time.ParseInLocation("20060102", strings.Join(found[1:], ""), zone)
	return day, err == nil
}

// MatchMemory returns the signals "month" and "day" of a memory. They are those of
// the day on which it was written, or of a time that its own text names. "I saw the
// doctor yesterday", written on 8 May, is about 7 May.
func (d Named) MatchMemory(m *memory.Memory, zone *time.Location) (month, day float64) {
	if !d.IsSet() {
		return 0, 0
	}
	written, _ := WrittenOn(m, zone)
	month, day = d.match(written)
	if month+day == 2 {
		return month, day
	}
	for _, s := range textDates(m.Text, written.From) {
		m, n := d.match(s)
		month, day = max(month, m), max(day, n)
	}
	return month, day
}

// match returns the signals "month" and "day" of a time, which its middle decides. A long one is
// on no day.
func (d Named) match(s Span) (month, day float64) {
	at := s.From.Add(s.To.Sub(s.From) / 2)
	for _, named := range d.Spans {
		if named.Contains(at) {
			month = 1
			if named.IsDay() && s.IsDay() {
				day = 1
			}
		}
	}
	return month, day
}

// maxTextDates bounds the dates that are read from one text.
const maxTextDates = 4

// textDates returns the times that a text names, at most a week long: a longer one
// tells too little about the day. Relative ones count from the day of writing.
func textDates(text string, written time.Time) (dates []Span) {
	r := newReader(text, written)
	for i := 0; i < len(r.tokens) && len(dates) < maxTextDates; i++ {
		m := r.mentionAt(i, nestedLevels["time"], false)
		switch {
		case m.date.day > 0:
			dates = append(dates, m.date.near(written).span(written.Location()))
		case m.isSet() && m.spans[0].IsWithin(daysInWeek) && !slices.Contains(dates, m.spans[0]):
			dates = append(dates, m.spans[0])
		}
		i = max(i, m.to-1)
	}
	return dates
}

// States reports whether a text names a day, as a date or by words such as "tomorrow" that have
// one meaning. written is when it was written.
func States(text string, day, written time.Time) bool {
	r := newReader(text, written)
	for i := 0; i < len(r.tokens); i++ {
		m := r.mentionAt(i, nestedLevels["time"], false)
		spans := m.spans
		if m.date.day > 0 {
			spans = []Span{m.date.near(written).span(written.Location())}
		}
		if len(spans) == 1 && spans[0].IsDay() && spans[0].From.Equal(day) {
			return true
		}
		i = max(i, m.to-1)
	}
	return false
}

// maxSpelledDays is the longest span whose days are spelled. Of a longer one the months
// are.
const maxSpelledDays = 7

// Spellings returns the words with which texts and headings give the days
// of a span. It returns none for a span that is open or longer than a year.
func Spellings(s Span) (words []string) {
	if s.From.IsZero() || s.To.IsZero() || s.To.After(s.From.AddDate(1, 0, 0)) {
		return nil
	}
	for at := s.From; at.Before(s.To); at = at.AddDate(0, 0, 1) {
		words = append(words, strconv.Itoa(at.Year()), at.Format("01"))
		words = append(words, tables().spelling[int(at.Month())]...)
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
