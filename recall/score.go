package recall

import (
	"math"
	"time"

	"github.com/memory-tiered/memory"
)

// coldRecency is what is left of a COLD memory's recency: the product's rule.
// An ARCHIVE memory has none.
const coldRecency = 0.5

// fullFrequency is the number of uses beyond which more of them say nothing:
// log(1+uses)/log(101) is 1 at a hundred.
const fullFrequency = 100

// composite is what the score of a memory is made of: three parts that have a
// weight, and two that are shown and weigh nothing yet.
type composite struct{ similarity, recency, frequency, importance, trust float64 }

func compositeOf(m *memory.Memory, similarity float64, now time.Time, s Settings) composite {
	return composite{similarity, Recency(*m, now, s), frequency(m.UseCount), m.Importance, trust(m.Trust)}
}

func (c composite) score(s Settings) float64 {
	return c.similarity*s.Similarity + c.recency*s.Recency + c.frequency*s.Frequency
}

func (c composite) factors(s Settings) []memory.Factor {
	return []memory.Factor{
		factor("similarity", c.similarity, s.Similarity),
		factor("recency", c.recency, s.Recency),
		factor("frequency", c.frequency, s.Frequency),
		factor("importance", c.importance, 0),
		factor("trust", c.trust, 0),
	}
}

// Score is the composite: similarity, recency and frequency, each with its
// weight, and two factors that are shown and weigh nothing yet. The factors'
// points add up to the score.
func Score(m memory.Memory, similarity float64, now time.Time, s Settings) (float64, []memory.Factor) {
	c := compositeOf(&m, similarity, now, s)
	return c.score(s), c.factors(s)
}

func factor(name string, value, weight float64) memory.Factor {
	return memory.Factor{Name: name, Value: value, Weight: weight, Points: value * weight}
}

// EffectiveAge is the time since a memory was created, edited or last used,
// whichever came last; never negative.
func EffectiveAge(m memory.Memory, now time.Time) time.Duration {
	return max(0, now.Sub(m.LastTouched()))
}

// HalfLifeDays is how fast a memory fades; infinite where it is pinned.
func HalfLifeDays(m memory.Memory, s Settings) float64 { return s.halfLife(m) }

// Recency falls from 1 towards 0 with the effective age, over the half-life of
// the memory's type.
func Recency(m memory.Memory, now time.Time, s Settings) float64 {
	days := EffectiveAge(m, now).Hours() / 24
	recency := math.Exp(-days / s.halfLife(m))
	switch m.Tier {
	case memory.TierCold:
		return recency * coldRecency
	case memory.TierArchive:
		return 0
	}
	return recency
}

func frequency(uses int) float64 {
	return min(1, math.Log1p(float64(max(0, uses)))/math.Log1p(fullFrequency))
}

func trust(t memory.TrustTier) float64 {
	switch t {
	case memory.TrustQuarantined:
		return 0
	case memory.TrustUntrusted:
		return 0.5
	}
	return 1
}
