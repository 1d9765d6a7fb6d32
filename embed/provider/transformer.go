package provider

import (
	"fmt"
	"path/filepath"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/minilm"
	"github.com/memory-tiered/memory/embed/static"
)

// AllowsTransformer returns why the quality auto does not use the transformer; empty: it
// does.
func (r *Registry) AllowsTransformer() string {
	switch m := r.Machine; {
	case !minilm.Available || r.RunTransformer == nil:
		return minilm.ErrUnavailable.Error()
	case m.Cores < LeastCores:
		return fmt.Sprintf("it needs %d cores, and this machine has %d", LeastCores, m.Cores)
	case m.Bytes > 0 && m.Bytes < LeastBytes:
		return fmt.Sprintf("it needs a machine with %d MB of memory, and this one has %d MB", LeastBytes>>20, m.Bytes>>20)
	}
	return ""
}

// builtIn is the transformer in the binary. The table answers while it is not loaded.
type builtIn struct {
	*minilm.Embedder
	table embed.Embedder
	waits bool
}

// Meanwhile returns the table in the binary.
func (b builtIn) Meanwhile() embed.Embedder { return b.table }

// QueriesWait reports whether the quality is best.
func (b builtIn) QueriesWait() bool { return b.waits }

// loadable returns the transformer in the binary, as a quality uses it.
func (r *Registry) loadable(quality string) (embed.Embedder, error) {
	transformer, err := r.transformer()
	if err != nil {
		return nil, err
	}
	table, err := static.New()
	if err != nil {
		return nil, err
	}
	return builtIn{transformer, table, quality == QualityBest}, nil
}

// makeTransformer makes the transformer in the binary. It starts nothing.
func (r *Registry) makeTransformer() (*minilm.Embedder, error) {
	if !minilm.Available || r.RunTransformer == nil {
		return nil, memory.Unavailable(minilm.ErrUnavailable, "run the transformer in the binary").WithHint(noModelHint)
	}
	return minilm.New(minilm.Options{Dir: filepath.Join(r.StateDir, "transformer"), Command: r.RunTransformer}), nil
}
