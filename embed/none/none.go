// Package none is the provider without vectors, for keyword search only. It has no
// model and sends nothing to other machines.
package none

import (
	"context"

	"github.com/memory-tiered/memory/embed"
)

// Embedder makes no vectors.
type Embedder struct{}

// New returns the embedder.
func New() Embedder { return Embedder{} }

// Model returns "none".
func (Embedder) Model() string { return "none" }

// Dim returns 0, which disables the vector lane.
func (Embedder) Dim() int { return 0 }

// Remote returns false.
func (Embedder) Remote() bool { return false }

// Embed returns one empty vector per text. It fails only if ctx is done.
func (Embedder) Embed(ctx context.Context, _ embed.Kind, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return make([][]float32, len(texts)), nil
}
