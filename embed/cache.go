package embed

import (
	"context"
	"fmt"

	"github.com/memory-tiered/memory"
)

// Store keeps vectors by the fingerprint of their text and the model that made
// them.
type Store interface {
	// Vectors gives what is kept of some texts; the others are left out.
	Vectors(ctx context.Context, model string, keys []memory.Fingerprint) (map[memory.Fingerprint][]float32, error)
	// PutVectors keeps vectors, over what is kept of the same texts already.
	PutVectors(ctx context.Context, model string, vectors map[memory.Fingerprint][]float32) error
}

// Cache is an embedder that makes the vector of a chunk once. What it is asked
// through Embed, questions among it, passes through and is never kept.
type Cache struct {
	Embedder
	store Store
}

// Cached puts a store before e.
func Cached(e Embedder, s Store) *Cache { return &Cache{Embedder: e, store: s} }

// Chunks gives the vector of each chunk, in order: from the store, or made now
// and kept. Equal chunks are embedded once. A stored vector that this model
// cannot have made is made anew; the zero vector is never kept, because a model
// that knows nothing of a text today may have been ill. Where the embedder is
// remote, the caller leaves private chunks out.
func (c *Cache) Chunks(ctx context.Context, chunks []memory.Chunk) ([][]float32, error) {
	if c.Dim() == 0 {
		return make([][]float32, len(chunks)), ctx.Err()
	}
	found, err := c.stored(ctx, chunks)
	if err != nil {
		return nil, err
	}
	if err := c.complete(ctx, chunks, found); err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(chunks))
	for i, chunk := range chunks {
		vectors[i] = found[chunk.Fingerprint]
	}
	return vectors, nil
}

// stored is what the store has of chunks and can be used.
func (c *Cache) stored(ctx context.Context, chunks []memory.Chunk) (map[memory.Fingerprint][]float32, error) {
	usable := make(map[memory.Fingerprint][]float32, len(chunks))
	if len(chunks) == 0 {
		return usable, nil
	}
	var keys []memory.Fingerprint
	asked := make(map[memory.Fingerprint]bool, len(chunks))
	for _, chunk := range chunks {
		if !asked[chunk.Fingerprint] {
			asked[chunk.Fingerprint] = true
			keys = append(keys, chunk.Fingerprint)
		}
	}
	stored, err := c.store.Vectors(ctx, c.Model(), keys)
	if err != nil {
		return nil, fmt.Errorf("read cached vectors: %w", err)
	}
	for key, v := range stored {
		if asked[key] && check(v, c.Dim()) == nil && !IsZero(v) {
			usable[key] = v
		}
	}
	return usable, nil
}

// complete embeds what is missing in found, and keeps what was made.
func (c *Cache) complete(ctx context.Context, chunks []memory.Chunk, found map[memory.Fingerprint][]float32) error {
	var texts []string
	var keys []memory.Fingerprint
	for _, chunk := range chunks {
		if _, ok := found[chunk.Fingerprint]; !ok {
			found[chunk.Fingerprint] = nil // asked for once
			texts, keys = append(texts, chunk.Text), append(keys, chunk.Fingerprint)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	vectors, err := c.Embed(ctx, Passage, texts)
	if err == nil {
		err = Check(vectors, len(texts), c.Dim())
	}
	if err != nil {
		return fmt.Errorf("embed %d texts: %w", len(texts), err)
	}
	fresh := make(map[memory.Fingerprint][]float32, len(texts))
	for i, key := range keys {
		found[key] = vectors[i]
		if !IsZero(vectors[i]) {
			fresh[key] = vectors[i]
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	if err := c.store.PutVectors(ctx, c.Model(), fresh); err != nil {
		return fmt.Errorf("keep %d vectors: %w", len(fresh), err)
	}
	return nil
}
