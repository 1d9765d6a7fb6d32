package recall

import "math"

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
