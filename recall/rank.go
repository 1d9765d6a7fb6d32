package recall

// ranking orders by the sum of the signals. Where a person asks for one lane, it
// alone orders.
func ranking(found []*candidate, l lanes, q question, s Settings) {
	most := reachOf(found)
	for _, c := range found {
		c.values, c.sentence = c.weigh(q.cues, most, s.zone()), q.sentence
		c.similarity = c.values.similarity(l.vector.serves())
		if c.rank = c.signals.Context; q.vector {
			c.rank = c.values.sum(q.sentence)
		}
	}
}
