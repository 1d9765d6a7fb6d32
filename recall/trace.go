package recall

import "github.com/memory-tiered/memory"

// MaxTraceTop is how many of each lane's best a trace holds: enough to see what a
// lane would have done alone.
const MaxTraceTop = 10

// Trace is what a receipt and a why-not need to know of a recall. It holds ids
// and numbers, never text.
type Trace struct {
	TextTop   []LaneHit
	VectorTop []LaneHit
	FusedTop  []LaneHit

	Candidates map[memory.Tier]int // that the lanes found
	Selected   map[memory.Tier]int // that are in the block
	Rejections []Rejection         // every candidate that is not, best first within a reason

	NoVectorReason string // why the question was not embedded; empty where it was
}

// LaneHit is a candidate near the top of a lane.
type LaneHit struct {
	ID    memory.ID
	Score float64
}

// Why a candidate has no place in a block.
const (
	RejectedHidden      = "hidden"       // forgotten, missing, private, quarantined or superseded
	RejectedArchived    = "archived"     // its tier is never injected
	RejectedInPrompt    = "in_prompt"    // the host says it already
	RejectedDuplicate   = "duplicate_of" // another says the same
	RejectedBelowFloor  = "below_floor"  // too little to do with the question
	RejectedTierBudget  = "tier_budget"  // others took the places
	RejectedTokenBudget = "token_budget" // it did not fit
)

// Rejection says why a candidate is not in the block: the first reason that held.
type Rejection struct {
	ID          memory.ID
	Reason      string
	DuplicateOf memory.ID // the memory that speaks for it
	Floor       float64   // that it is below

	Similarity, Score float64
}

func (c *candidate) reject(reason string) Rejection {
	return Rejection{ID: c.ID, Reason: reason, Similarity: c.similarity, Score: c.score}
}

// Rejection says what kept a memory out of the block. Not ok: it is in the block, or
// no lane found it.
func (t Trace) Rejection(id memory.ID) (left Rejection, ok bool) {
	for _, l := range t.Rejections {
		if l.ID == id {
			return l, true
		}
	}
	return Rejection{}, false
}

func newTrace(found []*candidate, l lanes, q question) Trace {
	t := Trace{TextTop: topHits(l.text), VectorTop: topHits(l.vector), Candidates: countByTier(found), Selected: map[memory.Tier]int{}, NoVectorReason: q.noVectorReason}
	for _, c := range found[:min(MaxTraceTop, len(found))] {
		t.FusedTop = append(t.FusedTop, LaneHit{c.ID, c.fused})
	}
	return t
}

func topHits(l lane) []LaneHit {
	var best []LaneHit
	for _, c := range l.found[:min(MaxTraceTop, len(l.found))] {
		best = append(best, LaneHit{c.ID, c.Score})
	}
	return best
}
