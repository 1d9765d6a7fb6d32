package recall

// ranking orders by the sum of the signals. Where a person asks for one lane, it
// alone orders.
func ranking(found []candidate, l lanes, q question, s Settings) {
	most := reachOf(found)
	for i := range found {
		c := &found[i]
		v := c.values(q.cues, most, s.zone())
		c.similarity = v.similarity(l.vector.serves())
		c.signs = v.factors(q.sentence)
		if c.rank = c.signals.Context; q.vector {
			c.rank = v.sum(q.sentence)
		}
	}
}
