// Package none is the provider for those who want keyword search alone: it has
// no model, makes no vectors, and sends nothing anywhere.
package none

import (
	"context"

	"github.com/memory-tiered/memory/embed"
)

// Embedder makes no vectors.
type Embedder struct{}

// New makes it.
func New() Embedder { return Embedder{} }

// Model is a name that no vectors are kept under.
func (Embedder) Model() string { return "none" }

// Dim is 0: the vector lane is out.
func (Embedder) Dim() int { return 0 }

// Remote is false: the text goes nowhere.
func (Embedder) Remote() bool { return false }

// Embed gives an empty vector a text, and fails only where ctx has.
func (Embedder) Embed(ctx context.Context, _ embed.Kind, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return make([][]float32, len(texts)), nil
}
