package knowledge

import "github.com/memory-tiered/memory"

// AuditModel is the action of the audit's rows about calls of a language model. Each call has a
// row before it is sent, with the most tokens that it may take. Another row, behind the answer,
// corrects them.
const AuditModel = "model"

// Extraction reports what a language model read, and what became of its facts.
type Extraction struct {
	Action  string `json:"action"` // "extract"
	Preview bool   `json:"preview,omitempty"`
	Model   string `json:"model"`

	Messages int                  `json:"messages"`           // that are sent
	LeftOut  map[string]int       `json:"left_out"`           // messages and sentences that no model gets, by reason
	Batches  int                  `json:"batches"`            // requests to the model
	Tokens   int                  `json:"tokens"`             // of a preview: the most that the batches take; else what the model counted
	Budget   int                  `json:"budget"`             // tokens a day
	Left     int                  `json:"left"`               // tokens that are left today, before a preview or after the batches
	Stopped  string               `json:"stopped,omitempty"`  // why not all batches were sent
	WouldBe  memory.List[Sent]    `json:"would_be,omitempty"` // of a preview: what would be sent
	Stored   memory.List[Derived] `json:"stored"`
	Facts    int                  `json:"facts"`    // that the model returned
	Dropped  map[string]int       `json:"dropped"`  // facts that were not stored, by reason
	Undated  int                  `json:"undated"`  // facts without the date that the model gave, because no message states it
	Known    int                  `json:"known"`    // facts that a memory says already
	Captured int                  `json:"captured"` // of these, facts that capture kept
	Missed   int                  `json:"missed"`   // memories that capture kept of the messages, and no fact says
	Receipt  string               `json:"receipt"`  // empty: none is kept
}

// Add adds the figures of another part of a command.
func (e *Extraction) Add(part Extraction) {
	sum := func(to *map[string]int, from map[string]int) {
		if *to == nil {
			*to = map[string]int{}
		}
		for reason, n := range from {
			(*to)[reason] += n
		}
	}
	sum(&e.LeftOut, part.LeftOut)
	sum(&e.Dropped, part.Dropped)
	e.Action, e.Preview, e.Model, e.Budget, e.Left, e.Stopped = part.Action, part.Preview, part.Model, part.Budget, part.Left, part.Stopped
	e.Messages, e.Batches, e.Tokens = e.Messages+part.Messages, e.Batches+part.Batches, e.Tokens+part.Tokens
	e.Facts, e.Known, e.Captured, e.Missed = e.Facts+part.Facts, e.Known+part.Known, e.Captured+part.Captured, e.Missed+part.Missed
	e.Undated += part.Undated
	e.WouldBe, e.Stored = append(e.WouldBe, part.WouldBe...), append(e.Stored, part.Stored...)
	if part.Receipt != "" {
		e.Receipt = part.Receipt
	}
}

// Sent is a message as a language model gets it.
type Sent struct {
	N    int    `json:"n"` // its number in the request
	Role string `json:"role"`
	Date string `json:"date"`
	Text string `json:"text"`
}

// Derived is a memory that a language model found, with the day that it is about.
type Derived struct {
	memory.Memory
	Date string `json:"date,omitempty"` // YYYY-MM-DD; empty: none is stated
}
