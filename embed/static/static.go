// Package static is the embedding model inside the binary: one table of token
// vectors, summed. No network runs, nothing is downloaded, no key is asked for.
// It alone knows the MEMVEC file format and how a text is cut into the tokens
// of one; README.md beside this file says both, and what the model is made of.
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
var modelFile []byte

// modelDigest begins the SHA-256 of the file above, as a test holds: so
// that a command that embeds nothing need not read 4 MB to name the model.
const modelDigest = "e087fb83b948"

// digestLen is how many hexadecimal digits of a file's SHA-256 name a model:
// enough that two files never meet by chance, short enough to be read.
const digestLen = 12

// Embedder is a static model. It is safe for concurrent use.
type Embedder struct {
	model   string
	dim     int
	table   func() (*table, error)        // reads the file, once
	similar func() (*similarWords, error) // the words alike, where they were worked out before
}

var builtIn = sync.OnceValues(func() (*Embedder, error) {
	e, err := newEmbedder(modelFile, modelDigest)
	if err == nil {
		e.similar = sync.OnceValues(func() (*similarWords, error) { return readSimilarWords(similarFile, modelDigest) })
	}
	return e, err
})

// New gives the model that is compiled in. Its table is read when first used,
// in a few milliseconds, and once for all.
func New() (*Embedder, error) { return builtIn() }

// Read reads a model file. src is kept and must not change.
func Read(src []byte) (*Embedder, error) {
	e, err := newEmbedder(src, fmt.Sprintf("%x", sha256.Sum256(src))[:digestLen])
	if err != nil {
		return nil, err
	}
	_, err = e.table()
	return e, err
}

func newEmbedder(src []byte, digest string) (*Embedder, error) {
	f, err := parseFile(src)
	if err != nil {
		return nil, fmt.Errorf("read the static model: %w", err)
	}
	return &Embedder{
		model: "static/" + f.name + "@" + digest,
		dim:   int(f.Dim),
		table: sync.OnceValues(func() (*table, error) {
			t, err := f.table()
			if err != nil {
				return nil, fmt.Errorf("read the static model %s: %w", f.name, err)
			}
			return t, nil
		}),
	}, nil
}

// Model names the file by its name and the beginning of its SHA-256.
func (e *Embedder) Model() string { return e.model }

// Dim is how many numbers a row of the table has.
func (e *Embedder) Dim() int { return e.dim }

// Remote is false: the text goes nowhere.
func (e *Embedder) Remote() bool { return false }

// Embed sums the rows of each text's tokens, and makes the sum a unit vector.
// Questions and passages are treated alike. The vectors are the same to the bit
// on every machine.
func (e *Embedder) Embed(ctx context.Context, _ embed.Kind, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t, err := e.table()
	if err != nil {
		return nil, err
	}
	cut := newTokenizer(&t.vocabulary)
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vectors[i] = make([]float32, e.dim)
		for _, id := range cut.tokens(text) {
			t.add(vectors[i], id)
		}
		embed.Normalize(vectors[i])
	}
	return vectors, nil
}
