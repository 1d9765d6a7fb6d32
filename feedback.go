package memory

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
func ParseVerdict(s string) (Verdict, error) { return parseWord("verdict", s, Verdicts) }

// UnmarshalText parses a verdict in any case.
func (v *Verdict) UnmarshalText(b []byte) error { return unmarshalWord(v, b, ParseVerdict) }

// FeedbackRequest gives a verdict about one memory.
type FeedbackRequest struct {
	ID        string  `json:"id"` // prefix
	Verdict   Verdict `json:"verdict"`
	Workspace string  `json:"workspace,omitempty"`
	Query     string  `json:"query,omitempty"`   // the question; default: that of Receipt
	Receipt   string  `json:"receipt,omitempty"` // id of a recall; default: the last one that injected the memory
}

// Feedback is a stored verdict about a memory for questions like Query.
type Feedback struct {
	ID      ID
	Verdict Verdict // VerdictWrong or VerdictUseful
	Query   string
}

// EditRequest replaces the text of one memory in its file.
type EditRequest struct {
	ID        string `json:"-" path:"id"` // prefix
	Text      string `json:"text"`
	Was       string `json:"was"` // the text that the person saw; if the file has another one, nothing changes
	Workspace string `json:"workspace,omitempty"`
}

// ChangeAnswer reports what a verdict or an edit changed.
type ChangeAnswer struct {
	Action  string       `json:"action"`            // feedback or edit
	Query   string       `json:"query,omitempty"`   // the question of the verdict; empty: all
	Changed List[Memory] `json:"changed"`           // the memory; after never, also the copies of its text
	Batch   string       `json:"batch"`             // id of the command in the audit
	Notices List[string] `json:"notices,omitempty"` // what could not be written, or what else happened
}
