package recall

import "github.com/memory-tiered/memory"

// TopKept is how many of each lane's best a trace holds: enough to see what a
// lane would have done alone.
const TopKept = 10

// Trace is what a receipt and a why-not need to know of a recall. It holds ids
// and numbers, never text.
type Trace struct {
	TextTop   []Top
	VectorTop []Top
	FusedTop  []Top

	Candidates map[memory.Tier]int // that the lanes found
	Selected   map[memory.Tier]int // that are in the block
	Left       []Left              // every candidate that is not, best first within a reason

	NoVector string // why the question was not embedded; empty where it was
}

// Top is a candidate near the top of a lane.
type Top struct {
	ID    memory.ID
	Score float64
}

// Why says what kept a memory out of the block. Not ok: it is in the block, or
// no lane found it.
func (t Trace) Why(id memory.ID) (left Left, ok bool) {
	for _, l := range t.Left {
		if l.ID == id {
			return l, true
		}
	}
	return Left{}, false
}

func trace(found []*candidate, l lanes, q question) Trace {
	t := Trace{TextTop: top(l.text), VectorTop: top(l.vector), Candidates: byTier(found), Selected: map[memory.Tier]int{}, NoVector: q.noVector}
	for _, c := range found[:min(TopKept, len(found))] {
		t.FusedTop = append(t.FusedTop, Top{c.ID, c.rank})
	}
	return t
}

func top(l lane) []Top {
	var best []Top
	for _, c := range l.found[:min(TopKept, len(l.found))] {
		best = append(best, Top{c.ID, c.Score})
	}
	return best
}
