package embed

import (
	"errors"
	"fmt"
	"math"
)

// unitTolerance is how far from 1 a unit vector's length may be: float32 rounds
// it by a few millionths, and what is off by more was not made unit length.
const unitTolerance = 1e-4

// Check holds an embedder's answer against what was asked: n vectors of dim
// numbers each, every one a number, of unit length or zero.
func Check(vectors [][]float32, n, dim int) error {
	if len(vectors) != n {
		return fmt.Errorf("%d vectors for %d texts", len(vectors), n)
	}
	for i, v := range vectors {
		if err := check(v, dim); err != nil {
			return fmt.Errorf("vector %d %w", i, err)
		}
	}
	return nil
}

func check(v []float32, dim int) error {
	if len(v) != dim {
		return fmt.Errorf("has %d dimensions, not %d", len(v), dim)
	}
	switch length := norm(v); {
	case math.IsNaN(length) || math.IsInf(length, 0):
		return errors.New("holds what is not a number")
	case length != 0 && math.Abs(length-1) > unitTolerance:
		return fmt.Errorf("has the length %g, not 1", length)
	}
	return nil
}

// Normalize makes v a unit vector in place. The zero vector and one that holds
// what is not a number stay as they are, for [Check] to find.
func Normalize(v []float32) {
	length := norm(v)
	if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
		return
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / length)
	}
}

// IsZero says that v says nothing.
func IsZero(v []float32) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}

// norm is summed without fused multiply-add, so that every machine gets the
// same bits.
func norm(v []float32) float64 {
	var sum float64
	for _, x := range v {
		sum += float64(float64(x) * float64(x))
	}
	return math.Sqrt(sum)
}
