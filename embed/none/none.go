// Package none is the provider for those who want keyword search alone: it has
// no model, makes no vectors, and never fails.
package none

import (
	"context"

	"github.com/memory-tiered/memory/embed"
)

// Embedder makes no vectors.
type Embedder struct{}

// New makes it.
func New() Embedder { return Embedder{} }

func (Embedder) Model() string { return "none" }
func (Embedder) Dim() int      { return 0 }
func (Embedder) Remote() bool  { return false }

// Embed gives an empty vector a text.
func (Embedder) Embed(_ context.Context, _ embed.Kind, texts []string) ([][]float32, error) {
	return make([][]float32, len(texts)), nil
}
