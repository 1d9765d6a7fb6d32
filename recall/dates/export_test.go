package dates

import "time"

// SpansIn finds the relative dates of a text.
var SpansIn = spansIn

// SpansByEachPattern is SpansIn without CJK, with a search through the text for each
// pattern.
func SpansByEachPattern(text string, today time.Time) (spans []Span) {
	for _, r := range relativeDates {
		if s, ok := r.find(text, today); ok {
			spans = append(spans, s)
		}
	}
	return spans
}
