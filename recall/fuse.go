package recall

import "github.com/memory-tiered/memory"

// rrfK is reciprocal rank fusion's constant as its authors give it: large
// enough that the first few ranks of one lane do not decide alone.
const rrfK = 60

// candidate is a memory on its way through the steps.
type candidate struct {
	*memory.Memory
	signals      memory.Signals // where the ranking asks for them
	text, vector float64        // the lanes' calibrated scores; 0 where a lane did not find it
	textRank     int            // 1 is best; 0 where the lane did not find it
	vectorRank   int

	rank       float64 // what the fusion orders by
	similarity float64 // 0 to 1: what floor and composite go by
	score      float64 // the composite's
	composite  composite
	values     values       // what the rank is the sum of, by the ranking
	sentence   bool         // and with which weights
	speaksFor  []*candidate // near-duplicates that it stands for
	line       string       // as the block has it
}

// fuse gives each candidate its similarity and its rank. A lane that is out
// takes no part, and what the others say counts in full.
func fuse(found []*candidate, l lanes, q question, s Settings) {
	if s.Fusion == FusionRanking && q.text {
		ranking(found, l, q, s)
		return
	}
	wText, wVector := weights(l, s)
	for _, c := range found {
		c.similarity = unit(wText*c.text + wVector*c.vector)
		c.rank = c.similarity
		if s.Fusion == FusionRRF {
			c.rank = wText*reciprocal(c.textRank) + wVector*reciprocal(c.vectorRank)
		}
	}
}

// weights shares 1 among the lanes that serve.
func weights(l lanes, s Settings) (text, vector float64) {
	if l.text.serves() {
		text = s.TextWeight
	}
	if l.vector.serves() {
		vector = s.VectorWeight
	}
	switch {
	case text+vector > 0:
		return text / (text + vector), vector / (text + vector)
	case l.text.serves(): // alone, and weighed 0 by the settings
		return 1, 0
	}
	return 0, 1
}

// reciprocal is 1 for the best of a lane and falls with the rank.
func reciprocal(rank int) float64 {
	if rank == 0 {
		return 0
	}
	return (rrfK + 1) / float64(rrfK+rank)
}

// unit clamps to 0 to 1; what is not a number is 0.
func unit(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(x, 1)
}
