package ranking

import (
	"cmp"
	"math"
	"slices"
)

// standingOutLevel is how far the best note about the subject has to stand out by its
// cosine. Two distances are added: from the mean of the others, and from the second. The sum
// is divided by the logarithm of their number, because of more notes, the best one is higher
// by chance.
const standingOutLevel = 0.095

// shareOfLead is the share of that distance from the mean with which a note stands out
// together with the best one.
const shareOfLead = 0.8

// StandingOut returns those of the notes about a subject whose cosine stands out among them.
// It changes their order.
func StandingOut(about []*Features) []*Features {
	if len(about) < 2 {
		return nil
	}
	sum := 0.0
	for _, f := range about {
		sum += f.Signals.Cosine
	}
	slices.SortFunc(about, func(a, b *Features) int { return cmp.Compare(b.Signals.Cosine, a.Signals.Cosine) })
	best, second := about[0].Signals.Cosine, about[1].Signals.Cosine
	mean := (sum - best) / float64(len(about)-1)
	if (best-mean)+(best-second) < standingOutLevel*math.Log(float64(len(about))) {
		return nil
	}
	return slices.DeleteFunc(about, func(f *Features) bool {
		return f.LacksAnswer || f.Signals.Cosine-mean < shareOfLead*(best-mean)
	})
}
