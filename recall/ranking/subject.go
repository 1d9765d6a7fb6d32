package ranking

import (
	"cmp"
	"math"
	"slices"
)

// NoteAbout is a note about the subject of a question.
type NoteAbout struct {
	*Features
	Alignment float64 // how well its words match those of the question, 0 to 1
}

// standingOutRule tells how far the best note about the subject has to stand out by its
// cosine. Two distances are added: from the mean of the others, and from the second. If no
// other note has words as near to the question, a share of its alignment is added. The sum is
// divided by the logarithm of their number, because of more notes, the best one is higher by
// chance.
type standingOutRule struct{ least, alignment float64 }

// The rules for the binary's own table and for a sentence transformer, whose cosines need no
// comparison of words. docs/decisions/0015-subjects.md has the figures.
var (
	staticStandingOut   = standingOutRule{least: 0.11, alignment: 0.3}
	sentenceStandingOut = standingOutRule{least: 0.095}
)

// shareOfLead is the share of that distance from the mean with which a note stands out
// together with the best one.
const shareOfLead = 0.8

// StandingOut returns those of the notes about a subject whose cosine stands out among them.
// It changes their order.
func StandingOut(about []NoteAbout, sentenceModel bool) []NoteAbout {
	rule := staticStandingOut
	if sentenceModel {
		rule = sentenceStandingOut
	}
	if len(about) < 2 {
		return nil
	}
	sum, nearest := 0.0, 0.0
	for _, n := range about {
		sum, nearest = sum+n.Signals.Cosine, max(nearest, n.Alignment)
	}
	slices.SortFunc(about, func(a, b NoteAbout) int { return cmp.Compare(b.Signals.Cosine, a.Signals.Cosine) })
	best, second := about[0].Signals.Cosine, about[1].Signals.Cosine
	mean := (sum - best) / float64(len(about)-1)
	level := (best - mean) + (best - second)
	if about[0].Alignment >= nearest {
		level += rule.alignment * nearest
	}
	if level < rule.least*math.Log(float64(len(about))) {
		return nil
	}
	return slices.DeleteFunc(about, func(n NoteAbout) bool {
		return n.LacksAnswer || n.Signals.Cosine-mean < shareOfLead*(best-mean)
	})
}
