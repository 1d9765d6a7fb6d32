package recall

import (
	"math"

	"github.com/memory-tiered/memory"
)

// rrfK is reciprocal rank fusion's constant as its authors give it: large
// enough that the first few ranks of one lane do not decide alone.
const rrfK = 60

// candidate is a memory on its way through the steps.
type candidate struct {
	*memory.Memory
	signals                memory.Signals // where the ranking asks for them
	textScore, vectorScore float64        // the lanes' calibrated scores; 0 where a lane did not find it
	textRank               int            // 1 is best; 0 where the lane did not find it
	vectorRank             int

	fused         float64 // what the fusion orders by
	similarity    float64 // 0 to 1: what floor and composite go by
	score         float64 // the composite's
	composite     composite
	values        signalValues // what the rank is the sum of, by the ranking
	sentenceModel bool         // and with which weights
	duplicates    []*candidate // near-duplicates that it stands for
	line          string       // as the block has it
}

// fuse gives each candidate its similarity and its rank. A lane that is out
// takes no part, and what the others say counts in full.
func fuse(found []*candidate, l lanes, q question, s Settings) {
	if s.Fusion == FusionRanking && q.useText {
		fuseSignals(found, l, q, s)
		return
	}
	wText, wVector := laneWeights(l, s)
	for _, c := range found {
		c.similarity = clampUnit(wText*c.textScore + wVector*c.vectorScore)
		c.fused = c.similarity
		if s.Fusion == FusionRRF {
			c.fused = wText*reciprocalRank(c.textRank) + wVector*reciprocalRank(c.vectorRank)
		}
	}
}

// fuseSignals orders by the sum of the signals. Where a person asks for one lane, it
// alone orders.
func fuseSignals(found []*candidate, l lanes, q question, s Settings) {
	most, best := maximaOf(found), math.Inf(-1)
	general := make([]float64, len(found))
	for i, c := range found {
		c.values, c.sentenceModel = c.measure(q.intent, most, s.zone()), q.sentenceModel
		general[i] = c.values.sumWithoutExact(q.sentenceModel)
		best = max(best, general[i])
	}
	for i, c := range found {
		c.values[behindIndex] = max(0, best-general[i]-behindSlack)
		c.similarity = c.values.similarity(l.vector.ok(), q.sentenceModel)
		if c.fused = c.signals.Context; q.useVectors {
			c.fused = c.values.sum(q.sentenceModel)
		}
	}
}

// laneWeights shares 1 among the lanes that serve.
func laneWeights(l lanes, s Settings) (text, vector float64) {
	if l.text.ok() {
		text = s.TextWeight
	}
	if l.vector.ok() {
		vector = s.VectorWeight
	}
	switch {
	case text+vector > 0:
		return text / (text + vector), vector / (text + vector)
	case l.text.ok(): // alone, and weighed 0 by the settings
		return 1, 0
	}
	return 0, 1
}

// reciprocalRank is 1 for the best of a lane and falls with the rank.
func reciprocalRank(rank int) float64 {
	if rank == 0 {
		return 0
	}
	return (rrfK + 1) / float64(rrfK+rank)
}

// clampUnit clamps to 0 to 1; what is not a number is 0.
func clampUnit(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(x, 1)
}
