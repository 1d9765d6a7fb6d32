package recall

import "github.com/memory-tiered/memory"

// MaxTraceTop is the number of best candidates of each lane in a trace: enough to see
// what the lane alone would have answered.
const MaxTraceTop = 10

// Trace records how a recall came to its answer, for receipts and for why-not. It
// holds ids and numbers, never text.
type Trace struct {
	TextTop   []LaneHit
	VectorTop []LaneHit
	FusedTop  []LaneHit

	Candidates map[memory.Tier]int // found by the lanes
	Selected   map[memory.Tier]int // in the block
	Rejections []Rejection         // every other candidate, best first for each reason

	NoVectorReason string // why the question was not embedded; empty if it was
}

// LaneHit is a candidate near the top of a lane.
type LaneHit struct {
	ID    memory.ID
	Score float64
}

// The reasons of a [Rejection].
const (
	RejectedHidden        = "hidden"        // forgotten, missing, private, quarantined or superseded
	RejectedArchived      = "archived"      // its tier is never injected
	RejectedInPrompt      = "in_prompt"     // the host already puts its file before the model
	RejectedContradiction = "contradicts"   // it is untrusted, and a trusted memory states another value
	RejectedDuplicate     = "duplicate_of"  // a near-duplicate represents it
	RejectedFeedback      = "feedback"      // a person called it wrong for a question like this one
	RejectedBelowFloor    = "below_floor"   // not similar enough to the question
	RejectedOutdated      = "outdated"      // its author marked it so, and the question does not ask for the past
	RejectedBehindBest    = "behind_best"   // much less similar to the question than the best memory
	RejectedOtherTime     = "other_time"    // it is of another time than the question names, and one of that time answers as well
	RejectedOtherSession  = "other_session" // the prompt is more likely about other sessions
	RejectedTierBudget    = "tier_budget"   // better candidates took the places
	RejectedTokenBudget   = "token_budget"  // its text did not fit
)

// Rejection is the first reason why a candidate is not in the block.
type Rejection struct {
	ID          memory.ID
	Reason      string
	DuplicateOf memory.ID // the near-duplicate that represents it
	RefutedBy   memory.ID // the trusted memory that it contradicts
	Floor       float64   // the least similarity that it needs

	Similarity, Score float64
}

func (c *candidate) reject(reason string) Rejection {
	return Rejection{ID: c.ID, Reason: reason, Similarity: c.similarity, Score: c.score}
}

// Rejection returns why a memory is not in the block. ok is false if it is in the
// block, or if no lane found it.
func (t Trace) Rejection(id memory.ID) (rejection Rejection, ok bool) {
	for _, r := range t.Rejections {
		if r.ID == id {
			return r, true
		}
	}
	return Rejection{}, false
}

// reasonForNothing returns why a block has no memories, by what kept the best ones out.
func (t Trace) reasonForNothing() string {
	for _, r := range t.Rejections {
		if r.Reason == RejectedTokenBudget {
			return memory.SkippedTokens
		}
	}
	return memory.SkippedNothing
}

func newTrace(found []*candidate, l lanes, q laneQuery) Trace {
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
