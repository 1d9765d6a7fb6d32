// Package embed defines what turns text into vectors ([Embedder]) and validates the
// vectors ([Check]). It knows no provider. Each provider is a package below, and
// passes the conformance tests of package embedtest.
package embed

import "context"

// Kind is the role of a text: some models embed queries and passages differently.
type Kind uint8

const (
	Query   Kind = iota // a question
	Passage             // a stored text, which may answer a query
)

// Embedder turns texts into vectors. It is safe for concurrent use.
type Embedder interface {
	// Model returns a name with model, revision and dimension, for example
	// "static/memvec-en-256@e087fb83b948". Vectors are compared only within one
	// model, so everything that changes a vector must change the name.
	Model() string
	// Dim returns the length of a vector; 0: the provider makes no vectors.
	Dim() int
	// Remote reports whether texts leave this machine. The caller then keeps back
	// private texts.
	Remote() bool
	// Embed returns one unit vector per text, in order. A text that the model knows
	// nothing of gets the zero vector, which callers treat as no vector. With an
	// error there are no vectors.
	Embed(ctx context.Context, kind Kind, texts []string) ([][]float32, error)
}

// Gradual is an embedder that takes long for many texts. Another embedder answers until it
// has made all vectors.
type Gradual interface {
	Embedder
	// Meanwhile returns the embedder that answers until then. It is fast.
	Meanwhile() Embedder
	// IsChosen reports whether a person chose the embedder. Then its work does not wait for
	// a service, or for mains power.
	IsChosen() bool
}

// Immediate is an embedder that takes some microseconds for a text. Its vectors are written
// with the texts.
type Immediate interface {
	Embedder
	// IsImmediate does nothing. Only such an embedder has it.
	IsImmediate()
}

// Reader is an embedder that also reads a question and a note together.
type Reader interface {
	// Read returns for each note the log-odds that it answers the question. Without a
	// reader it returns nothing.
	Read(ctx context.Context, question string, notes []string) ([]float64, error)
}

// UsesServer reports whether an embedder asks a server, which may be slow or never
// answer. A server on this machine counts too, although no text leaves the machine.
func UsesServer(e Embedder) bool {
	asks, ok := e.(interface{ UsesServer() bool })
	return e.Remote() || ok && asks.UsesServer()
}

// None is the embedder without vectors, for keyword search only. It has no model and
// sends nothing to other machines.
type None struct{}

// Model returns "none".
func (None) Model() string { return "none" }

// Dim returns 0, which disables the vector lane.
func (None) Dim() int { return 0 }

// Remote returns false.
func (None) Remote() bool { return false }

// Embed returns one empty vector per text. It fails only if ctx is done.
func (None) Embed(ctx context.Context, _ Kind, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return make([][]float32, len(texts)), nil
}
