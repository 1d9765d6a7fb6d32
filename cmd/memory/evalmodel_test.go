package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
)

// loadingBackend has a model that loads. Each search is one step.
type loadingBackend struct {
	api.Backend
	steps []memory.EmbeddingStats
	at    int
}

func (b *loadingBackend) Search(context.Context, memory.SearchRequest) (memory.SearchAnswer, error) {
	b.at++
	return memory.SearchAnswer{}, nil
}

func (b *loadingBackend) Stats(context.Context, memory.StatsRequest) (memory.Stats, error) {
	return memory.Stats{Embedding: b.steps[b.at-1]}, nil
}

func TestEvalWaitsForTheModel(t *testing.T) {
	of := func(loading float64, loaded bool, failure string) memory.EmbeddingStats {
		return memory.EmbeddingStats{Model: "heavy", Meanwhile: "table", LoadingSeconds: loading, Loaded: loaded, Error: failure}
	}
	for _, tt := range []struct {
		name   string
		daemon bool
		steps  []memory.EmbeddingStats
		note   string
	}{
		{"no loading needed", true, []memory.EmbeddingStats{{Model: "table"}}, ""},
		{"loads", true, []memory.EmbeddingStats{of(0, false, ""), of(1, false, ""), of(0, true, "")}, ""},
		{"fails", true, []memory.EmbeddingStats{of(1, false, ""), of(0, false, "out of memory")}, "answered by table, and not by heavy: out of memory"},
		{"loads in this process", false, []memory.EmbeddingStats{of(5, false, ""), of(0, true, "")}, ""},
		{"no service", false, []memory.EmbeddingStats{of(0, false, "")}, "memory serve"},
	} {
		var notes bytes.Buffer
		b := &loadingBackend{steps: tt.steps}
		err := (&app{err: &notes}).awaitModel(t.Context(), &session{Backend: b, Daemon: tt.daemon})
		if err != nil || b.at != len(tt.steps) || (tt.note == "") != (notes.Len() == 0) || !strings.Contains(notes.String(), tt.note) {
			t.Errorf("%s: %v after %d steps, %q", tt.name, err, b.at, notes.String())
		}
	}
}
