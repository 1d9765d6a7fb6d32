// Package embed says what turns text into vectors ([Embedder]) and guards their
// answers ([Check]). It knows no provider: each is a folder below, linked by the
// command alone, and held to the suite in embedtest.
package embed

import "context"

// Kind tells an embedder what a text is: some models treat a question and what
// may answer it differently.
type Kind uint8

const (
	Query   Kind = iota // what somebody asks
	Passage             // what is kept, and may answer
)

// Embedder turns texts into vectors. It is safe for concurrent use.
type Embedder interface {
	// Model names model, revision and dimension, as in
	// "static/memvec-en-256@e087fb83b948". Vectors of different models never
	// meet, so whatever changes a vector changes the name.
	Model() string
	// Dim is how many numbers a vector has; 0: there are no vectors at all.
	Dim() int
	// Remote says that texts leave this machine: private ones are kept back by
	// who calls.
	Remote() bool
	// Embed gives one vector of unit length a text, in order. A text of which
	// the model knows nothing gets the zero vector: callers take it for none.
	// It is all or nothing: with an error there are no vectors.
	Embed(ctx context.Context, kind Kind, texts []string) ([][]float32, error)
}
