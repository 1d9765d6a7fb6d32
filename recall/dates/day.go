package dates

import (
	"path"
	"regexp"
	"time"

	"github.com/memory-tiered/memory"
)

// DayOf returns the day that a memory is about: one that its text names, else the
// day of its file's name or front matter. A creation time within a day comes from
// the file system; it dates the file, not the memory.
func DayOf(m *memory.Memory, zone *time.Location) (day Span, ok bool) {
	created := m.CreatedAt.In(zone)
	written := startOfDay(created)
	tokens := tokenise(m.Text)
	for i := range tokens {
		if d, n := parseDate(tokens[i:]); n > 0 && d.day > 0 {
			return d.inferYearNear(written).span(zone), true
		}
	}
	return daySpan(written, 0, 1), IsDated(m, zone)
}

// IsDated reports whether the day of a memory's creation is known from the name of its
// file, or from front matter.
func IsDated(m *memory.Memory, zone *time.Location) bool {
	created := m.CreatedAt.In(zone)
	return startOfDay(created).Equal(created) || InFileName(m.Path) != ""
}

// dateInName matches the date of a daily note. The name holds a day in the
// workspace's time zone, while CreatedAt is a moment.
var dateInName = regexp.MustCompile(`\d{4}-\d{2}-\d{2}`)

// InFileName returns the date in the name of a file, as 2006-01-02. It is empty if
// there is none.
func InFileName(file string) string { return dateInName.FindString(path.Base(file)) }
