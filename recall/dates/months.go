package dates

import (
	"strings"
	"time"

	"github.com/memory-tiered/memory/recall/language"
)

var (
	// monthNumbers maps the names of months to their numbers, with their short forms.
	monthNumbers = map[string]time.Month{}

	// shortMonths lists the short forms.
	shortMonths = map[string]bool{}

	// englishMonths lists the names from January on.
	englishMonths = strings.Fields("january february march april may june july august september october november december")
)

func init() {
	for _, names := range []string{
		strings.Join(englishMonths, " "),
		"januar februar märz april mai juni juli august september oktober november dezember",
		"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
		"janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
	} {
		for i, name := range strings.Fields(names) {
			monthNumbers[name] = time.Month(i + 1)
		}
	}
	for month, names := range []string{
		"jan jän ene janv", "feb febr févr", "mar mrz mär", "apr abr avr", "", "jun", "jul juil", "aug ago", "sep sept",
		"oct okt", "nov", "dec dez dic déc",
	} {
		for name := range strings.FieldsSeq(names) {
			monthNumbers[name], shortMonths[name] = time.Month(month+1), true
		}
	}
}

// The names of months that are also other words. Those of ambiguousMonths count only
// beside a number, or after one of monthPrepositions. So do short forms, and those of
// numberedMonths count beside a number alone.
var (
	ambiguousMonths   = language.WordSet("may march mars mai mayo")
	numberedMonths    = language.WordSet("jan mar ago ene dic abr")
	monthPrepositions = language.WordSet("in of since until on im seit bis en de desde hasta depuis")
)

// monthAt returns the month that the first token names, or 0. If a date is expected, an
// ambiguous name is one.
func monthAt(tokens []token, expected bool) time.Month {
	t := tokens[0]
	month := monthNumbers[t.lower]
	if month == 0 || !ambiguousMonths[t.lower] && !shortMonths[t.lower] {
		return month
	}
	next := ""
	if len(tokens) > 1 && !t.endsClause {
		next = tokens[1].lower
	}
	before, isNumbered := t.previous, parseDay(next) > 0 || isYear(next)
	if t.lower == "ago" { // English: "3 ago" is none, "3 de ago" is
		isNumbered = isNumbered && unitDays[before] == 0
		before = ""
	}
	switch {
	case isNumbered || parseDay(before) > 0:
		return month
	case expected && !numberedMonths[t.lower], monthPrepositions[before] && !numberedMonths[t.lower]:
		return month
	}
	return 0
}
