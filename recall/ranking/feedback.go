package ranking

import (
	"math"

	"github.com/memory-tiered/memory"
)

// The weight of the signal "feedback" is also that of its log-odds. The sum of a good answer
// is about 10, and the best wrong one is some 4 points behind. With 6 a wrong memory falls
// behind the right one, and one that alone matches stays out of the block.

// Feedback returns the signal "feedback" of a verdict for a question that is so much like the
// present one, from 0 to 1.
func Feedback(v memory.Verdict, alike float64) float64 {
	if v == memory.VerdictWrong {
		return -alike
	}
	return alike
}

// WithFeedback returns a similarity after the signal "feedback". It comes last, because other
// rules raise a similarity to a fixed value.
func WithFeedback(similarity, feedback float64) float64 {
	const nearly = 0.03 // odds of any size mean no more than that: a verdict weighs more
	p := min(1-nearly, max(nearly, similarity))
	odds := math.Log(p/(1-p)) + staticWeights[feedbackIndex]*feedback
	return 1 / (1 + math.Exp(-odds))
}
