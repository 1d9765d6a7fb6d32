// Package static is the embedding model inside the binary: one table of token
// vectors, summed. No network runs, nothing is downloaded, no key is asked for.
// README.md beside this file says what the model is made of.
package static

import (
	"context"
	"crypto/sha256"
	_ "embed" // the model file
	"fmt"
	"sync"

	"github.com/memory-tiered/memory/embed"
)

//go:embed memvec-en-256.memvec
var compiledIn []byte

// Embedder is a static model. It is safe for concurrent use.
type Embedder struct {
	table *table
	model string
}

var builtIn = sync.OnceValues(func() (*Embedder, error) { return Read(compiledIn) })

// New gives the model that is compiled in; it is read once.
func New() (*Embedder, error) { return builtIn() }

// Read reads a model file. src is kept and must not change.
func Read(src []byte) (*Embedder, error) {
	t, err := read(src)
	if err != nil {
		return nil, fmt.Errorf("read the static model: %w", err)
	}
	return &Embedder{t, fmt.Sprintf("static/%s@%x", t.name, sha256.Sum256(src))[:len("static/@")+len(t.name)+12]}, nil
}

// Model names the file by its name and the beginning of its SHA-256.
func (e *Embedder) Model() string { return e.model }

// Dim is how many numbers a row of the table has.
func (e *Embedder) Dim() int { return e.table.dim }

// Remote is false: the text goes nowhere.
func (e *Embedder) Remote() bool { return false }

// Embed sums the rows of each text's tokens, and makes the sum a unit vector.
// Questions and passages are treated alike.
func (e *Embedder) Embed(ctx context.Context, _ embed.Kind, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v := make([]float32, e.table.dim)
		for _, id := range e.table.tokens(text) {
			e.table.add(v, id)
		}
		embed.Normalize(v)
		vectors[i] = v
	}
	return vectors, nil
}
