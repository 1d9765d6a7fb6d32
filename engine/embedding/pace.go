package embedding

import "time"

// secondsPerText is the time that a loadable model takes for a text on a slow machine, with
// the pauses. It estimates the end of a change that has not begun.
const secondsPerText = 0.2

// pace measures how fast texts get vectors of a model in the background. Its zero value
// has measured nothing.
type pace struct {
	since time.Time // when the first batch began
	texts int
}

// add counts the texts of a batch that began at a time.
func (p *pace) add(texts int, began time.Time) {
	if p.since.IsZero() {
		p.since = began
	}
	p.texts += texts
}

// secondsLeft estimates the time for some texts, with pauses as there were until now. It
// returns 0 if it is unknown.
func (p pace) secondsLeft(texts int, isLoadable bool, now time.Time) float64 {
	switch {
	case p.texts > 0:
		return float64(texts) * now.Sub(p.since).Seconds() / float64(p.texts)
	case isLoadable:
		return float64(texts) * secondsPerText
	}
	return 0
}
