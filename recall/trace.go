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
