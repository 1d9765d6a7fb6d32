package ranking

import (
	"math"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/dates"
	"github.com/memory-tiered/memory/recall/question"
)

// A prompt with many words goes on with a project, and what was said last about it
// matters most. A short question asks for any time. Fitted on two long logs of
// projects, for memories with speakers only: docs/decisions/0007-time.md.
const (
	wordsOfQuestion = 8  // words to search for: a question of so many is short
	wordsOfPrompt   = 16 // from here on the signals count in full

	justSaid   = 3.0  // days: ages below differ little
	neutralAge = 30.0 // days: the signal "recent" is 0
)

// recency returns the signal "recent". The logarithm of the age counts: twice the age
// makes a session of a project less likely by the same factor, young or old.
func recency(in question.Intent, s *memory.Signals, created time.Time) float64 {
	if s.Speaker == "" || namesPast(in) {
		return 0 // notes hold until they are changed; a named time decides by itself
	}
	days := max(0, in.Now.Sub(created).Hours()/24)
	return promptLength(in) * math.Log((justSaid+neutralAge)/(justSaid+days))
}

// namesPast reports whether the question names a time that is over. A plan names months
// and days to come.
func namesPast(in question.Intent) bool {
	return in.IsSet() && !slices.ContainsFunc(in.Spans, func(s dates.Span) bool { return !s.IsOver(in.Now) })
}

// promptLength returns 0 for a short question and 1 for a long prompt.
func promptLength(in question.Intent) float64 {
	return min(1, max(0, (in.WordCount-wordsOfQuestion)/(wordsOfPrompt-wordsOfQuestion)))
}

// WantsSections reports whether the signal "section" counts for a question.
func WantsSections(in question.Intent) bool { return promptLength(in) > 0 }

// sectionValue returns the signal "section".
func sectionValue(in question.Intent, s *memory.Signals) float64 {
	if s.Speaker == "" {
		return 0 // notes under one heading have little to do with each other
	}
	return promptLength(in) * s.Section
}
