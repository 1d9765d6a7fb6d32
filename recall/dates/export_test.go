package dates

import (
	"strings"
	"time"

	"github.com/memory-tiered/memory/recall/language"
)

// SpansIn finds the relative dates of a text.
func SpansIn(text string, today time.Time) (spans []Span) {
	eachSpan(text, today, func(s Span, _ bool) { spans = append(spans, s) })
	return spans
}

// SpansByEachPattern is SpansIn with a search through the whole text for each pattern.
func SpansByEachPattern(text string, today time.Time) (spans []Span) {
	for _, r := range relativeDates {
		if s, ok := r.find(text, today); ok {
			spans = append(spans, s)
		}
	}
	if !strings.ContainsFunc(text, func(r rune) bool { return language.ScriptOf(r) != language.NoCJK }) {
		return spans
	}
	for _, r := range cjkDates {
		s, ok := r.find(text, today)
		if !ok && r.pattern.NumSubexp() > 0 {
			s, ok = r.find(cjkNumbers.Replace(text), today)
		}
		if ok {
			spans = append(spans, s)
		}
	}
	return spans
}

// CJKNeeds has for each CJK pattern the texts that show that it may match.
var CJKNeeds = cjkNeeds
