package memory

import (
	"slices"
	"strings"
	"time"
)

// Action is what a person or an agent may decide about a memory.
type Action string

const (
	ActionForget  Action = "forget"  // out of everything, unless asked for
	ActionRestore Action = "restore" // undoes forget
	ActionPin     Action = "pin"     // held against ageing, first in its budget
	ActionUnpin   Action = "unpin"
	ActionPromote Action = "promote" // one tier up, or to a given one
	ActionDemote  Action = "demote"  // one tier down, or to a given one
	ActionArchive Action = "archive" // kept, never injected
	ActionDestroy Action = "destroy" // out of the files and everything made from them, for good
	ActionUndo    Action = "undo"    // takes the last command back
)

// Actions lists what can be decided.
var Actions = []Action{ActionForget, ActionRestore, ActionPin, ActionUnpin, ActionPromote, ActionDemote,
	ActionArchive, ActionDestroy, ActionUndo}

// ParseAction reads an action in any case.
func ParseAction(s string) (Action, error) {
	return parseWord("action", s, Action(strings.ToLower(strings.TrimSpace(s))), Actions)
}

// UnmarshalText reads an action in any case.
func (a *Action) UnmarshalText(b []byte) error { return unmarshalWord(a, b, ParseAction) }

// Why a decision changes nothing, in the product's fixed wording.
const (
	AlreadyForgotten = "Already forgotten"
	NotForgotten     = "Not forgotten"
	AlreadyPinned    = "Already pinned"
	NotPinned        = "Not pinned"
	TextIsGone       = "Missing: its text is in no file"
)

// Decision is an action with all that it needs to know beside the memory.
type Decision struct {
	Action Action
	To     Tier      // promote and demote: where to; empty: one step
	Only   bool      // forget and restore: this one memory, whatever copies of its text there are
	At     time.Time // in the workspace's zone, whose day it is that files hold
}

// Declarations is what is said of one memory when something is decided about it.
type Declarations struct {
	Memory    Memory
	Own       Declared // about it alone: its entries, and what is kept for it outside of Markdown
	Inherited Declared // what else speaks: its annotations, its file's front matter
}

// On gives what is to be said of the memory alone from now on. A reason means
// that nothing changes, and why.
func (d Decision) On(s Declarations) (said Declared, reason string) {
	said = s.Own
	switch d.Action {
	case ActionForget:
		return d.forget(s)
	case ActionRestore:
		return d.restore(s)
	case ActionPin:
		return d.pin(s)
	case ActionUnpin:
		if !s.Memory.Pinned {
			return said, NotPinned
		}
		said.Pinned = without(s.Inherited.Pinned)
	case ActionPromote, ActionDemote, ActionArchive:
		return d.move(s)
	}
	return said, ""
}

func (d Decision) forget(s Declarations) (said Declared, reason string) {
	said = s.Own
	if s.Memory.Forgotten && (d.Only || !said.Only) {
		return said, AlreadyForgotten
	}
	yes := true
	if said.ForgottenAt.IsZero() || !isTrue(said.Forgotten) {
		said.ForgottenAt = d.At
	}
	said.Forgotten, said.Only = &yes, d.Only
	return said, ""
}

func (d Decision) restore(s Declarations) (said Declared, reason string) {
	said = s.Own
	if !s.Memory.Forgotten {
		return said, NotForgotten
	}
	said.Forgotten, said.ForgottenAt, said.Only = without(s.Inherited.Forgotten), time.Time{}, false
	if d.Only {
		no := false
		said.Forgotten = &no // stands against what covers every copy
	}
	return said, ""
}

// pin raises what is COLD or ARCHIVE, which unpin leaves so.
func (d Decision) pin(s Declarations) (said Declared, reason string) {
	said = s.Own
	low := s.Memory.Tier == TierCold || s.Memory.Tier == TierArchive
	if s.Memory.Pinned && (!low || s.Memory.Missing) {
		return said, AlreadyPinned
	}
	yes := true
	said.Pinned = &yes
	if low && !s.Memory.Missing {
		said.Tier, said.Since, said.SinceDay = TierWarm, d.day(), true
	}
	return said, ""
}

// move declares another tier. Nothing that is missing has one.
func (d Decision) move(s Declarations) (said Declared, reason string) {
	said = s.Own
	if s.Memory.Missing {
		return said, TextIsGone
	}
	now := slices.Index(Tiers, s.Memory.Tier)
	to := d.target(now)
	switch {
	case to == now:
		return said, "Already " + string(s.Memory.Tier)
	case d.Action == ActionPromote && to > now:
		return said, "Already above " + string(Tiers[to])
	case d.Action == ActionDemote && to < now:
		return said, "Already below " + string(Tiers[to])
	}
	said.Tier, said.Since, said.SinceDay = Tiers[to], d.day(), true
	return said, ""
}

// target is where a tier moves to, as an index of Tiers.
func (d Decision) target(now int) int {
	switch {
	case d.Action == ActionArchive:
		return len(Tiers) - 1
	case d.To != "":
		return slices.Index(Tiers, d.To)
	case d.Action == ActionPromote:
		return max(now-1, 0)
	}
	return min(now+1, len(Tiers)-1)
}

// day is the beginning of the day on which it is decided.
func (d Decision) day() time.Time {
	year, month, day := d.At.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, d.At.Location())
}

// without takes a word back: it goes, unless something beneath says it too and
// has to be contradicted.
func without(beneath *bool) *bool {
	if isTrue(beneath) {
		no := false
		return &no
	}
	return nil
}

// DecideRequest asks for one action about memories, which are named by their
// ids, found by a query, or all that a filter lets through.
type DecideRequest struct {
	Action    Action   `json:"action"`
	Workspace string   `json:"workspace,omitempty"`
	IDs       []string `json:"ids,omitempty"`     // prefixes, as people type them
	Query     string   `json:"query,omitempty"`   // its best hit, if that is clearly the best
	Filter    *Filter  `json:"filter,omitempty"`  // narrows the query; alone: everything that it lets through
	Preview   bool     `json:"preview,omitempty"` // say what would change, and change nothing
	All       bool     `json:"all,omitempty"`     // every hit of the query over the floor
	Missing   bool     `json:"missing,omitempty"` // destroy: every memory whose text is in no file any more
	Confirm   bool     `json:"confirm,omitempty"` // destroy: nothing is destroyed without
	Only      bool     `json:"only,omitempty"`    // forget and restore: not the copies of the same text
	Tier      Tier     `json:"tier,omitempty"`    // promote and demote: where to
	Count     int      `json:"count,omitempty"`   // undo: how many commands; 0: the last one
	Source    string   `json:"source,omitempty"`  // who decides: cli (the default), tool or agent

	// Progress is told how far a decision about many memories is; it may be nil,
	// and is called from one goroutine at a time. It travels as events.
	Progress func(Progress) `json:"-"`
}

// UnchangedMemory is a memory that a decision left as it was, and why.
type UnchangedMemory struct {
	ID     ID     `json:"id"`
	Reason string `json:"reason"`
}

// DecideAnswer says what a decision changed, copies of a forgotten text
// included.
type DecideAnswer struct {
	Action    Action                `json:"action"`
	Changed   List[Memory]          `json:"changed"` // as they are now; in a preview, as they would be; destroyed ones without text
	Unchanged List[UnchangedMemory] `json:"unchanged"`
	Preview   bool                  `json:"preview"`
	Batch     string                `json:"batch,omitempty"`   // names the command in the audit
	Notices   List[string]          `json:"notices,omitempty"` // what could not be written into its file, and why

	// Of a destroying alone.
	Unreachable List[string]  `json:"unreachable,omitempty"` // where the texts may stand that nobody looked at
	Scan        *VerifyAnswer `json:"scan,omitempty"`        // of every file, for the bytes of the texts, when all was done
}
