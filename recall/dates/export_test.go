package dates

import (
	"strings"
	"time"
)

// SpansIn finds the relative dates of a text.
func SpansIn(text string, today time.Time) (spans []Span) {
	eachSpan(text, today, func(s Span, _ bool) { spans = append(spans, s) })
	return spans
}

// SpansByEachPattern is SpansIn with a search for each pattern at each word.
func SpansByEachPattern(text string, today time.Time) (spans []Span) {
	for rest := text; rest != ""; {
		longest, span := 0, Span{}
		for _, r := range relativeDates {
			at := r.pattern.FindStringIndex(rest)
			if at == nil || at[0] != 0 || at[1] <= longest {
				continue
			}
			longest, span = at[1], Span{}
			if s, ok := r.find(rest[:at[1]], today); ok {
				span = s
			}
		}
		if span.IsSet() {
			spans = append(spans, span)
		}
		_, next, _ := strings.Cut(rest, " ")
		if longest > 0 {
			next = rest[longest:]
		}
		rest = next
	}
	eachCJKSpan(text, today, func(s Span, _ bool, _ int) { spans = append(spans, s) })
	return spans
}

// CJKNeeds has for each CJK pattern the texts that show that it may match.
var CJKNeeds = cjkNeeds
