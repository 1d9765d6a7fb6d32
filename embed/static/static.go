// Package static is the embedding model in the binary: a table of token vectors. The
// vector of a text is the sum of its tokens' vectors. The model needs no neural
// network, no download and no key. README.md describes the MEMVEC file format, the
// tokeniser, and where the model comes from.
package static

import (
	"context"
	_ "embed" // the model file
	"sync"

	"github.com/memory-tiered/memory/embed"
)

//go:embed memvec-en-256.memvec
var modelFile []byte

// modelDigest is the beginning of the SHA-256 of the model file; a test compares
// them. It is a constant, so that commands that embed nothing need not hash 4 MB.
const modelDigest = "e087fb83b948"

// Embedder is a static model. It is safe for concurrent use.
type Embedder struct {
	model   string
	dim     int
	table   func() *table        // parses the file once
	similar func() *similarWords // the precomputed similar words; nil: none
}

var builtIn = sync.OnceValue(func() *Embedder {
	e := newEmbedder(modelFile, modelDigest)
	e.similar = sync.OnceValue(func() *similarWords { return readSimilarWords(similarFile, modelDigest) })
	return e
})

// New returns the model in the binary. Its table is parsed once, at the first use, in
// a few milliseconds.
func New() *Embedder { return builtIn() }

func newEmbedder(src []byte, digest string) *Embedder {
	f := parseFile(src)
	return &Embedder{model: "static/" + f.name + "@" + digest, dim: int(f.Dim), table: sync.OnceValue(f.table)}
}

// Model returns a name with the name of the file and the beginning of its SHA-256.
func (e *Embedder) Model() string { return e.model }

// Dim returns the length of a row of the table.
func (e *Embedder) Dim() int { return e.dim }

// Remote returns false.
func (e *Embedder) Remote() bool { return false }

// IsImmediate marks an [embed.Immediate].
func (e *Embedder) IsImmediate() {}

// Tokens returns the ids of a text's tokens in the vocabulary of BERT (uncased).
func (e *Embedder) Tokens(text string) []int32 {
	return newTokenizer(&e.table().vocabulary).tokens(text)
}

// Embed adds the rows of each text's tokens, and scales the sum to unit length. It
// embeds queries and passages in the same way. The vectors have the same bits on
// every machine.
func (e *Embedder) Embed(ctx context.Context, _ embed.Kind, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t := e.table()
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
