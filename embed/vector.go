package embed

import (
	"errors"
	"fmt"
	"math"
)

// unitTolerance is how far from 1 the length of a unit vector may be. float32
// rounds it by a few millionths; a larger difference is an error.
const unitTolerance = 1e-4

// Check returns an error unless there are n vectors of length dim that contain only
// finite numbers and are unit vectors or zero.
func Check(vectors [][]float32, n, dim int) error {
	if len(vectors) != n {
		return fmt.Errorf("%d vectors for %d texts", len(vectors), n)
	}
	for i, v := range vectors {
		if err := checkVector(v, dim); err != nil {
			return fmt.Errorf("vector %d %w", i, err)
		}
	}
	return nil
}

func checkVector(v []float32, dim int) error {
	if len(v) != dim {
		return fmt.Errorf("has %d dimensions, not %d", len(v), dim)
	}
	switch length := norm(v); {
	case math.IsNaN(length) || math.IsInf(length, 0):
		return errors.New("contains a value that is not a number")
	case length != 0 && math.Abs(length-1) > unitTolerance:
		return fmt.Errorf("has the length %g, not 1", length)
	}
	return nil
}

// Normalize scales v to unit length in place. It leaves the zero vector and vectors
// with values that are not numbers unchanged; [Check] finds the latter.
func Normalize(v []float32) {
	length := norm(v)
	if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
		return
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / length)
	}
}

// IsZero reports whether v is the zero vector.
func IsZero(v []float32) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}

// norm sums without fused multiply-add, so that every machine gets the same bits.
func norm(v []float32) float64 {
	var sum float64
	for _, x := range v {
		sum += float64(float64(x) * float64(x))
	}
	return math.Sqrt(sum)
}

// topicShare is how much the vector of a topic counts beside that of the text. From 0.2
// to 0.5, the answers to questions about notes are nearly the same; the topic before the
// text, embedded as one, is worse: docs/decisions/0013-topics.md.
const topicShare = 0.3

// Mix returns the vector of a text under a topic. A text without a vector has none under
// a topic either.
func Mix(text, topic []float32) []float32 {
	if IsZero(text) {
		return text
	}
	mixed := make([]float32, len(text))
	for i := range mixed {
		mixed[i] = text[i] + topicShare*topic[i]
	}
	Normalize(mixed)
	return mixed
}

// Cosine returns the cosine of two vectors of unit length.
func Cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
