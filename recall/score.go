package recall

import (
	"math"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
)

// saturatingUses is the number of uses beyond which more of them say nothing:
// log(1+uses)/log(101) is 1 at a hundred.
const saturatingUses = 100

// composite is what the score of a memory is made of: three parts that have a
// weight, and two that are shown and weigh nothing yet.
type composite struct{ similarity, recency, frequency, importance, trust float64 }

func compositeOf(m *memory.Memory, similarity float64, now time.Time, s Settings) composite {
	return composite{similarity, decay.Recency(m, now, s.HalfLives), frequency(m.UseCount), m.Importance, trust(m.Trust)}
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

func frequency(uses int) float64 {
	return min(1, math.Log1p(float64(max(0, uses)))/math.Log1p(saturatingUses))
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
