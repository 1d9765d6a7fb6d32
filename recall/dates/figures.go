package dates

import (
	"strconv"
	"time"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/recall/calendar"
	"github.com/memory-tiered/memory/recall/language"
)

// figures matches a date in figures: 2026-11-03, 2026_11_03, 2026/11/03T18:00, 2026-11,
// 3.11.2026, 3.11.26, 3/11/2026, 3.11 and 3/11.
var figures = lazyregexp.New(`^(?:(\d{4})[-/._](\d{1,2})(?:[-/._](\d{1,2})(?:t\d{2}:\d{2}.*)?)?|(\d{1,2})([./-])(\d{1,2})(?:[./-](\d{4}|\d{2}))?)$`)

// dayPrepositions lists the words after which 3.11 and 3/11 are days. Elsewhere they are
// versions and fractions.
var dayPrepositions = language.WordSet(`on since until till before after by between from to and for
am vom zum dem den seit bis vor nach ab und le du au depuis avant après jusqu'au el del al desde hasta et y`)

// parseFigures reads a date in figures. It returns an empty date if there is none. The
// year alone is left of a day that does not exist.
func parseFigures(t token) (d partialDate) {
	if t.lower == "" || !isDigit(t.lower[0]) { // the pattern takes longer
		return partialDate{}
	}
	m := figures.FindStringSubmatch(t.lower)
	if m == nil {
		return partialDate{}
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(m[i]) // 0 if it is not there
		return n
	}
	if m[1] != "" {
		return partialDate{Date: calendar.Date{Day: number(3), Month: time.Month(number(2)), Year: number(1)}}.existing(m[3] != "")
	}
	d = partialDate{Date: calendar.Date{Day: number(4), Month: time.Month(number(6)), Year: number(7)}}
	dotted := m[5] == "."
	switch {
	case m[7] == "" && (m[5] == "-" || !dayPrepositions[t.previous]), len(m[7]) == 2 && !dotted:
		return partialDate{}
	case len(m[7]) == 2:
		const century = 2000
		d.Year += century
	}
	if !dotted { // the day may be the second number
		other := partialDate{Date: d.Swapped()}
		if !d.Exists() {
			d = other
		} else {
			d.swappable = other.Exists() && other.Day != d.Day
		}
	}
	return d.existing(true)
}

// existing returns d if it exists, else its year.
func (d partialDate) existing(needsDay bool) partialDate {
	if d.Month < 1 || d.Month > 12 || needsDay && !d.Exists() {
		d = partialDate{Date: calendar.Date{Year: d.Year}}
	}
	if d.Year > 0 && !isYear(strconv.Itoa(d.Year)) {
		return partialDate{}
	}
	return d
}
