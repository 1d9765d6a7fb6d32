// Package embed says what turns text into vectors, and keeps vectors that were
// made once. It knows no provider: each is a folder below, linked by the
// command alone.
package embed

import (
	"context"
	"fmt"
	"math"
)

// Kind tells an embedder what a text is: some models treat a question and what
// may answer it differently.
type Kind uint8

const (
	Query Kind = iota
	Passage
)

// Embedder turns texts into vectors. It is safe for concurrent use.
type Embedder interface {
	// Model names model, revision and dimension. Vectors of different models
	// never meet.
	Model() string
	// Dim is how many numbers a vector has; 0: there are no vectors at all.
	Dim() int
	// Remote says that texts leave this machine: private ones are kept back.
	Remote() bool
	// Embed gives one vector of unit length a text, in order. A text of which
	// the model knows nothing gets the zero vector: callers take it for none.
	Embed(ctx context.Context, kind Kind, texts []string) ([][]float32, error)
}

// Check holds an embedder's answer against what was asked: n vectors of dim
// numbers each, every one a number, of unit length or zero.
func Check(vectors [][]float32, n, dim int) error {
	if len(vectors) != n {
		return fmt.Errorf("%d vectors for %d texts", len(vectors), n)
	}
	for i, v := range vectors {
		if len(v) != dim {
			return fmt.Errorf("vector %d has %d dimensions, not %d", i, len(v), dim)
		}
		if length := norm(v); math.IsNaN(length) || math.IsInf(length, 0) {
			return fmt.Errorf("vector %d holds what is not a number", i)
		}
	}
	return nil
}

// Normalize makes v a unit vector in place. The zero vector stays as it is.
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

func norm(v []float32) float64 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}
