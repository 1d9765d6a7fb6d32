package recall

import "math"

// ranking orders by the sum of the signals. Where a person asks for one lane, it
// alone orders.
func ranking(found []*candidate, l lanes, q question, s Settings) {
	most, best := reachOf(found), math.Inf(-1)
	general := make([]float64, len(found))
	for i, c := range found {
		c.values, c.sentence = c.weigh(q.cues, most, s.zone()), q.sentence
		general[i] = c.values.general(q.sentence)
		best = max(best, general[i])
	}
	for i, c := range found {
		c.values[behind] = max(0, best-general[i]-slack)
		c.similarity = c.values.similarity(l.vector.serves(), q.sentence)
		if c.rank = c.signals.Context; q.vector {
			c.rank = c.values.sum(q.sentence)
		}
	}
}
