// Package embed defines what turns text into vectors ([Embedder]) and validates the
// vectors ([Check]). It knows no provider. Each provider is a package below, and
// passes the conformance tests of package embedtest.
package embed

import (
	"context"
	"time"
)

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

// Loadable is an embedder with a model that takes much memory and time. Another embedder
// answers while it is not loaded. Embed loads it.
type Loadable interface {
	Embedder
	// Meanwhile returns the embedder that answers while the model is not loaded. It is
	// fast, and takes little memory.
	Meanwhile() Embedder
	// QueriesWait reports whether a query of a program without a service waits until the
	// model is loaded. If not, Meanwhile answers it, as it does in a service.
	QueriesWait() bool
	// Loaded reports whether the model is loaded.
	Loaded() bool
	// Loading returns for how long the model has been loading; 0: it does not load.
	Loading() time.Duration
	// Load loads the model, unless it is loaded.
	Load(ctx context.Context) error
	// Failure returns why the model could not be loaded or run the last time, or that it
	// takes long to load, or nil.
	Failure() error
	// ReleaseUnused frees the model if no caller has used it for some time, and reports
	// whether it did. Without an idle time, it frees also a model that is in use.
	ReleaseUnused(idle time.Duration) bool
	// ResidentBytes returns the memory that the loaded model takes outside of this
	// process, if the system tells.
	ResidentBytes() int64
}

// UsesServer reports whether an embedder asks a server, which may be slow or never
// answer. A server on this machine counts too, although no text leaves the machine.
func UsesServer(e Embedder) bool {
	asks, ok := e.(interface{ UsesServer() bool })
	return e.Remote() || ok && asks.UsesServer()
}
