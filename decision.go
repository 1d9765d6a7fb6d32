package memory

import (
	"encoding/json"
	"slices"
	"time"
)

// Action is a decision that a person or an agent can make about a memory.
type Action string

const (
	ActionForget  Action = "forget"  // left out of every answer unless requested
	ActionRestore Action = "restore" // undoes forget
	ActionPin     Action = "pin"     // protected from ageing, first in its budget
	ActionUnpin   Action = "unpin"
	ActionPromote Action = "promote" // one tier up, or to a given tier
	ActionDemote  Action = "demote"  // one tier down, or to a given tier
	ActionArchive Action = "archive" // kept, never injected
	ActionDestroy Action = "destroy" // removed from the files and all derived data, permanently
	ActionUndo    Action = "undo"    // reverts the last command
)

// Actions lists every action.
var Actions = []Action{ActionForget, ActionRestore, ActionPin, ActionUnpin, ActionPromote, ActionDemote,
	ActionArchive, ActionDestroy, ActionUndo}

// The audit's names of commands that are no decision about an existing memory.
const (
	AuditStore        = "store"
	AuditCapture      = "capture"
	AuditSetContext   = "set-context"
	AuditClearContext = "clear-context"
	AuditEdit         = "edit"
	AuditFeedback     = "feedback"
)

// AuditActions lists the actions that the audit names: decisions, and what else changes a memory
// or the current context.
func AuditActions() (names []string) {
	for _, a := range Actions {
		names = append(names, string(a))
	}
	return append(names, AuditStore, AuditCapture, AuditSetContext, AuditClearContext, "supersede", "revive", "trust", "decay", AuditFeedback, AuditEdit, "restore-snapshot", "model")
}

// ParseAction parses an action in any case.
func ParseAction(s string) (Action, error) { return parseWord("action", s, Actions) }

// UnmarshalText parses an action in any case.
func (a *Action) UnmarshalText(b []byte) error { return unmarshalWord(a, b, ParseAction) }

// Reasons why a decision changes nothing, in fixed wording.
const (
	AlreadyForgotten = "Already forgotten"
	NotForgotten     = "Not forgotten"
	AlreadyPinned    = "Already pinned"
	AlreadyIgnored   = "Already never injected"
	NotPinned        = "Not pinned"
	TextIsGone       = "Missing: its text is in no file"
	EditedSince      = "Decided in its file since"
)

// Decision is an action with its parameters.
type Decision struct {
	Action Action
	To     Tier      // promote and demote: the target tier; empty: one step
	Only   bool      // forget and restore: this memory only, without copies of its text
	At     time.Time // in the workspace's time zone, because files contain the day
}

// Declarations contains the declarations about one memory before a decision.
type Declarations struct {
	Memory    Memory
	Own       Declared // about this memory alone: its entries and its sidecar decision
	Inherited Declared // from its annotations and its file's front matter
	InDoubt   bool     // forgotten because an entry may be about it, and nobody has decided yet
}

// ApplyTo returns the memory's own declaration after the decision. A non-empty
// reason means that nothing changes.
func (d Decision) ApplyTo(declared Declarations) (own Declared, reason string) {
	own = declared.Own
	switch d.Action {
	case ActionForget:
		return d.forget(declared)
	case ActionRestore:
		return d.restore(declared)
	case ActionPin:
		return d.pin(declared)
	case ActionUnpin:
		if !declared.Memory.Pinned {
			return own, NotPinned
		}
		own.Pinned = clearUnlessInherited(declared.Inherited.Pinned)
	case ActionPromote, ActionDemote, ActionArchive:
		return d.move(declared)
	}
	return own, ""
}

func (d Decision) forget(declared Declarations) (own Declared, reason string) {
	own = declared.Own
	if declared.Memory.Forgotten && !declared.InDoubt && (d.Only || !own.Only) {
		return own, AlreadyForgotten
	}
	if own.ForgottenAt.IsZero() || !isTrue(own.Forgotten) {
		own.ForgottenAt = d.At
	}
	own.Forgotten, own.Only = new(true), d.Only
	return own, ""
}

func (d Decision) restore(declared Declarations) (own Declared, reason string) {
	own = declared.Own
	if !declared.Memory.Forgotten {
		return own, NotForgotten
	}
	own.Forgotten, own.ForgottenAt, own.Only = clearUnlessInherited(declared.Inherited.Forgotten), time.Time{}, false
	if d.Only || declared.InDoubt {
		own.Forgotten = new(false) // overrides the forgetting that covers every copy, and the doubt
	}
	return own, ""
}

// pin also moves a COLD or ARCHIVE memory to WARM. unpin does not move it back.
func (d Decision) pin(declared Declarations) (own Declared, reason string) {
	own = declared.Own
	low := declared.Memory.Tier == TierCold || declared.Memory.Tier == TierArchive
	if declared.Memory.Pinned && (!low || declared.Memory.Missing) {
		return own, AlreadyPinned
	}
	own.Pinned = new(true)
	if low && !declared.Memory.Missing {
		own.Tier, own.Since, own.SinceDay = TierWarm, d.day(), true
	}
	return own, ""
}

// move declares another tier. A missing memory cannot be moved.
func (d Decision) move(declared Declarations) (own Declared, reason string) {
	own = declared.Own
	if declared.Memory.Missing {
		return own, TextIsGone
	}
	current := slices.Index(Tiers, declared.Memory.Tier)
	to := d.target(current)
	switch {
	case to == current:
		return own, "Already " + string(declared.Memory.Tier)
	case d.Action == ActionPromote && to > current:
		return own, "Already above " + string(Tiers[to])
	case d.Action == ActionDemote && to < current:
		return own, "Already below " + string(Tiers[to])
	}
	own.Tier, own.Since, own.SinceDay = Tiers[to], d.day(), true
	return own, ""
}

// target returns the new tier as an index of Tiers.
func (d Decision) target(current int) int {
	switch {
	case d.Action == ActionArchive:
		return len(Tiers) - 1
	case d.To != "":
		return slices.Index(Tiers, d.To)
	case d.Action == ActionPromote:
		return max(current-1, 0)
	}
	return min(current+1, len(Tiers)-1)
}

// day returns the start of the day of the decision.
func (d Decision) day() time.Time {
	year, month, day := d.At.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, d.At.Location())
}

// clearUnlessInherited removes an own flag. Where the flag is also inherited, it
// returns an explicit false that overrides the inherited one.
func clearUnlessInherited(inherited *bool) *bool {
	if isTrue(inherited) {
		return new(false)
	}
	return nil
}

// DecideRequest requests one action on memories. Ids, a query or a filter select
// the memories.
type DecideRequest struct {
	Action    Action          `json:"action"`
	Workspace string          `json:"workspace,omitempty"`
	IDs       []string        `json:"ids,omitempty"`      // prefixes of ids
	Query     string          `json:"query,omitempty"`    // selects its best hit, if that is clearly the best
	Filter    *Filter         `json:"filter,omitempty"`   // restricts the query; without a query: selects every match
	Preview   bool            `json:"preview,omitempty"`  // report the changes without making them
	All       bool            `json:"all,omitempty"`      // select every hit of the query above the floor
	Missing   bool            `json:"missing,omitempty"`  // destroy: select every missing memory
	Confirm   bool            `json:"confirm,omitempty"`  // destroy: required
	Only      bool            `json:"only,omitempty"`     // forget and restore: leave out copies of the same text
	InPlace   bool            `json:"in_place,omitempty"` // forget: also take the lines out of the files of an agent's client
	Tier      Tier            `json:"tier,omitempty"`     // promote and demote: the target tier
	Count     int             `json:"count,omitempty"`    // undo: number of commands; 0: one
	Source    string          `json:"source,omitempty"`   // who decides: cli (default), tool or agent
	Agent     string          `json:"agent,omitempty"`    // with the sender, gives a query or a filter its scope
	Receipt   json.RawMessage `json:"receipt,omitempty"`  // destroy: {} in a preview begins a receipt, which the request without preview completes

	// Sender selects only memories that the user may read.
	Sender

	// For is who reads the answer; default: a person. A model selects only memories
	// that may be injected. It may restore a forgotten one by its id, and gets its
	// text only if the memory may be injected then.
	For Audience `json:"for,omitempty"`

	// Progress receives the progress of a decision about many memories. It may be
	// nil. One goroutine at a time calls it. The socket sends it as events.
	Progress func(Progress) `json:"-"`
}

// UnchangedMemory is a memory that a decision did not change, with the reason.
type UnchangedMemory struct {
	ID     ID     `json:"id"`
	Reason string `json:"reason"`
}

// UndoneCommand is a command that undo reversed.
type UndoneCommand struct {
	Action   string    `json:"action"` // as the audit names it
	At       time.Time `json:"at"`
	Source   string    `json:"source"`   // who decided: cli, tool or agent
	Memories int       `json:"memories"` // how many memories it changed; 0: it set or cleared the current context
	Batch    string    `json:"batch"`    // its id in the audit
}

// DecideAnswer lists the memories that a decision changed, including copies of a
// forgotten text.
type DecideAnswer struct {
	Action    Action                `json:"action"`
	Changed   List[Memory]          `json:"changed"` // after the decision, also in a preview; without text where destroyed
	Unchanged List[UnchangedMemory] `json:"unchanged"`
	Preview   bool                  `json:"preview"`
	Batch     string                `json:"batch,omitempty"`   // id of the command in the audit
	Notices   List[string]          `json:"notices,omitempty"` // decisions that could not be written into their file, with the reason

	Similarity map[ID]float64 `json:"similarity,omitempty"` // only in the preview of a query: how well each memory fits it, 0 to 1

	Undone   List[UndoneCommand] `json:"undone,omitempty"`    // only after undo: the reversed commands, newest first
	Removed  List[ID]            `json:"removed,omitempty"`   // only after undo: those in Changed whose stored text it took out of its file
	TakenOut List[string]        `json:"taken_out,omitempty"` // only after forget in place: the files that the lines are out of

	// Only after destroy and its preview.
	NearCopies  List[Memory]    `json:"near_copies,omitempty"` // same wording, other characters: they stay, and are forgotten
	Unreachable List[string]    `json:"unreachable,omitempty"` // places that may contain the texts and were not searched
	Scan        *VerifyAnswer   `json:"scan,omitempty"`        // the final search for the texts in every file
	Receipt     json.RawMessage `json:"receipt,omitempty"`     // if the request has one: begun by a preview, else complete
}
