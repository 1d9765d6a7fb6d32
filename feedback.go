package memory

import (
	"strings"
	"time"
)

// Verdict is what a person thinks of a memory that a model got.
type Verdict string

const (
	VerdictWrong  Verdict = "wrong"  // it does not answer questions like this one
	VerdictUseful Verdict = "useful" // it does
	VerdictNever  Verdict = "never"  // it is never put before a prompt again; search still finds it
)

// Verdicts lists every verdict.
var Verdicts = []Verdict{VerdictWrong, VerdictUseful, VerdictNever}

// ParseVerdict parses a verdict in any case.
func ParseVerdict(s string) (Verdict, error) {
	return parseWord("verdict", s, Verdict(strings.ToLower(strings.TrimSpace(s))), Verdicts)
}

// UnmarshalText parses a verdict in any case.
func (v *Verdict) UnmarshalText(b []byte) error { return unmarshalWord(v, b, ParseVerdict) }

// FeedbackRequest gives a verdict about one memory.
type FeedbackRequest struct {
	ID        string  `json:"id"` // prefix
	Verdict   Verdict `json:"verdict"`
	Workspace string  `json:"workspace,omitempty"`

	// Query is the question that the memory is wrong or useful for. Without it, it is that of
	// Receipt, or of the last recall that injected the memory.
	Query   string `json:"query,omitempty"`
	Receipt string `json:"receipt,omitempty"` // id of a recall
}

// FeedbackAnswer reports what a verdict changed.
type FeedbackAnswer struct {
	Action  string       `json:"action"` // "feedback"
	Verdict Verdict      `json:"verdict"`
	Query   string       `json:"query"`             // empty for a verdict about all questions
	Changed List[Memory] `json:"changed"`           // the memory; after never, also the copies of its text
	Batch   string       `json:"batch"`             // id of the command in the audit
	Notices List[string] `json:"notices,omitempty"` // what could not be written into a file
}

// Feedback is a stored verdict about a memory for questions like Query.
type Feedback struct {
	ID      ID
	Verdict Verdict // VerdictWrong or VerdictUseful
	Query   string
	At      time.Time
}

// EditRequest replaces the text of one memory in its file.
type EditRequest struct {
	ID        string `json:"-" path:"id"` // prefix
	Text      string `json:"text"`
	Was       string `json:"was"` // the text that the person saw; if the file has another one, nothing changes
	Workspace string `json:"workspace,omitempty"`
}
