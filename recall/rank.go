package recall

import (
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// The weights of the ranking's sum, in the order of their signals in [rank].
// All but exact were fitted on three conversations of LoCoMo and rounded; what
// they do elsewhere is in docs/decisions/0001-ranking.md.
const (
	wContext   = 5.4  // words in context, as a share of the best there is
	wCosine    = 4.6  // cosine with the question
	wNear      = 5.1  // the best cosine among the neighbours
	wNameIs    = 1.4  // a speaker whom the question names says it
	wNameOther = -1.4 // another speaker does
	wEndsAsk   = -0.7 // it ends with a question
	wAfterAsk  = 0.6  // what stands before it does
	wWhen      = 2.4  // a time is wanted, and it has a word of time
	wMany      = 0.8  // a number is wanted, and it has one
	wMonth     = 2.6  // it is dated in a month that the question names
	wDay       = 2.3  // and on a day
)

// wExact is what an identifier of the question counts that a memory holds as it
// stands: as much as everything else together can, because nothing else is meant.
// Without it 99 of 100 planted identifiers come first.
const wExact = 15.0

// ranking orders by the sum of signals. Where only words are asked for, they
// alone order.
func ranking(found []candidate, l lanes, q question, s Settings) {
	best := 0.0
	for _, c := range found {
		best = max(best, c.signals.Context)
	}
	for i := range found {
		c := &found[i]
		c.similarity = similarity(c, l)
		if c.rank = c.signals.Context; q.vector {
			c.rank = c.sum(q.cues, best, s.Zone)
		}
	}
}

// sum is what the candidate ranks by. best is the most context that any
// candidate has.
func (c *candidate) sum(q cues, best float64, zone *time.Location) float64 {
	s := c.signals
	sum := wCosine*s.Cosine + wNear*s.NearCosine + wExact*c.exact(q)
	if best > 0 {
		sum += wContext * s.Context / best
	}
	return sum + c.speech(q) + c.answers(q) + c.dated(q, zone)
}

// speech is what it says that somebody speaks, and that somebody asks.
func (c *candidate) speech(q cues) (sum float64) {
	if c.signals.Speaker != "" {
		sum = q.says(c.signals.Speaker)
	}
	if memory.Asks(c.Text) {
		sum += wEndsAsk
	}
	if c.signals.AfterQuestion {
		sum += wAfterAsk
	}
	return sum
}

func (q cues) says(speaker string) float64 {
	switch {
	case len(q.named) == 0:
		return 0
	case slices.Contains(q.named, speaker):
		return wNameIs
	}
	return wNameOther
}

// answers is what the kind of answer says that the question wants.
func (c *candidate) answers(q cues) (sum float64) {
	if q.when && saysTime(c.Text) {
		sum += wWhen
	}
	if q.many && saysNumber(c.Text) {
		sum += wMany
	}
	return sum
}

func (c *candidate) dated(q cues, zone *time.Location) (sum float64) {
	if len(q.months) == 0 {
		return 0
	}
	if zone == nil {
		zone = time.UTC
	}
	_, month, day := c.CreatedAt.In(zone).Date()
	for _, m := range q.months {
		if m != month {
			continue
		}
		for _, d := range q.days {
			if d == day {
				return wMonth + wDay
			}
		}
		return wMonth
	}
	return 0
}

// exact is the share of the question's identifiers that stand in the text.
func (c *candidate) exact(q cues) float64 {
	if len(q.identifiers) == 0 {
		return 0
	}
	low, found := strings.ToLower(c.Text), 0
	for _, id := range q.identifiers {
		if strings.Contains(low, id) {
			found++
		}
	}
	return float64(found) / float64(len(q.identifiers))
}
