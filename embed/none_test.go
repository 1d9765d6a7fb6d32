package embed_test

import (
	"context"
	"testing"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/embedtest"
)

func TestNoneIsAnEmbedder(t *testing.T) {
	embedtest.Run(t, func(*testing.T) embed.Embedder { return embed.None{} })
}

func TestNoneReturnsEmptyVectors(t *testing.T) {
	e := embed.None{}
	vectors, err := e.Embed(context.Background(), embed.Passage, []string{"a", "b"})
	if err != nil || len(vectors) != 2 || len(vectors[0]) != 0 || len(vectors[1]) != 0 {
		t.Errorf("Embed = %v, %v; want two empty vectors", vectors, err)
	}
	if e.Dim() != 0 || e.Remote() {
		t.Errorf("Dim = %d, Remote = %v; want 0 and false", e.Dim(), e.Remote())
	}
}
