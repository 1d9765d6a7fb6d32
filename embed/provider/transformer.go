package provider

import (
	"fmt"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/embed/transformer"
)

// AllowsTransformer returns why the quality auto does not use the transformer; empty: it
// does.
func (r *Registry) AllowsTransformer() string {
	switch m := r.Machine; {
	case m.Cores < LeastCores:
		return fmt.Sprintf("it needs %d cores, and this machine has %d", LeastCores, m.Cores)
	case m.Bytes > 0 && m.Bytes < LeastBytes:
		return fmt.Sprintf("it needs a machine with %d MB of memory, and this one has %d MB", LeastBytes>>20, m.Bytes>>20)
	}
	return ""
}

// builtIn is the transformer in the binary. The table answers until it has all vectors.
type builtIn struct {
	*transformer.Embedder
	table    embed.Embedder
	isChosen bool
}

// Meanwhile returns the table in the binary.
func (b builtIn) Meanwhile() embed.Embedder { return b.table }

// IsChosen reports whether the quality is best.
func (b builtIn) IsChosen() bool { return b.isChosen }

// withTable returns the transformer in the binary, as a quality uses it.
func withTable(quality string) embed.Embedder {
	return builtIn{transformer.New(), static.New(), quality == QualityBest}
}
