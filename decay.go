package memory

import "time"

// TierMove is one move of a memory to another tier by the ageing policy.
type TierMove struct {
	ID     ID     `json:"id"`
	From   Tier   `json:"from"`
	To     Tier   `json:"to"`
	Reason string `json:"reason"`       // "72 h since last use"
	By     ID     `json:"by,omitempty"` // the memory that takes its place; only of a compaction
}

// DecayRequest requests a sweep: every memory that is due moves by one tier.
type DecayRequest struct {
	Workspace string `json:"workspace,omitempty"`
	Preview   bool   `json:"preview,omitempty"` // report the moves without making them
	AsOf      string `json:"as_of,omitempty"`   // only with preview: the moves up to that time
	Release   bool   `json:"release,omitempty"` // run even if the clock is not believed, and believe it from now on
	Compact   bool   `json:"compact,omitempty"` // archive the COLD memories that repeat another one, and run no sweep
}

// DecayAnswer lists the moves of a sweep, at most 10,000 of them. Held is the reason
// why the sweep did not run, or null.
type DecayAnswer struct {
	Moves   List[TierMove] `json:"moves"`
	Total   int            `json:"total"` // the number of all moves
	Preview bool           `json:"preview"`
	Held    *string        `json:"held"`
	Batch   string         `json:"batch,omitempty"` // id of the sweep in the audit
}

// DecayStatus reports when sweeps run and how many memories are due.
type DecayStatus struct {
	LastRun  *time.Time   `json:"last_run"`
	NextRun  time.Time    `json:"next_run"`
	Schedule string       `json:"schedule"`
	Held     *string      `json:"held"` // why no sweep runs; null where none is held
	Due      map[Tier]int `json:"due"`  // memories that the next sweep would move, by their tier now
}
