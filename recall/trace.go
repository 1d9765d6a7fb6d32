package recall

import "github.com/memory-tiered/memory"

// maxTraceTop is the number of best candidates of each lane in a trace: enough to see which
// lane found the best memory.
const maxTraceTop = 3

// Trace records how a recall came to its answer, for receipts and for why-not, if
// [Prompt.Traced] is set. It holds ids and numbers, never text.
type Trace struct {
	TextTop   []memory.ScoredID
	VectorTop []memory.ScoredID
	FusedTop  []memory.ScoredID

	Candidates map[memory.Tier]int // found by the lanes
	Selected   map[memory.Tier]int // in the block
	Rejections []Rejection         // every other candidate, best first for each reason

	NoVectorReason string // why the question was not embedded; empty if it was

	isKept      bool // somebody reads it
	lacksTokens bool // a text did not fit
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

// reject notes why a candidate is not in the block.
func (t *Trace) reject(c *candidate, why Rejection) {
	t.lacksTokens = t.lacksTokens || why.Reason == RejectedTokenBudget
	if t.isKept {
		why.ID, why.Similarity, why.Score = c.ID, c.similarity, c.score
		t.Rejections = append(t.Rejections, why)
	}
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
func (t *Trace) reasonForNothing() string {
	if t.lacksTokens {
		return memory.SkippedTokens
	}
	return memory.SkippedNothing
}

func newTrace(found []*candidate, l lanes, q laneQuery) Trace {
	return Trace{
		TextTop:    bestOf(l.text.found, func(c *memory.Candidate) memory.ScoredID { return memory.ScoredID{ID: c.ID, Score: c.Score} }),
		VectorTop:  bestOf(l.vector.found, func(c *memory.Candidate) memory.ScoredID { return memory.ScoredID{ID: c.ID, Score: c.Score} }),
		FusedTop:   bestOf(found, func(c *candidate) memory.ScoredID { return memory.ScoredID{ID: c.ID, Score: c.fused} }),
		Candidates: countByTier(found), NoVectorReason: q.noVectorReason,
		Rejections: make([]Rejection, 0, len(found)), isKept: true,
	}
}

func bestOf[C any](found []C, scored func(C) memory.ScoredID) []memory.ScoredID {
	best := make([]memory.ScoredID, min(maxTraceTop, len(found)))
	for i := range best {
		best[i] = scored(found[i])
	}
	return best
}
