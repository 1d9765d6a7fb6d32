package engine

import (
	"context"
	"errors"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/internal/similar"
	"github.com/memory-tiered/memory/recall"
)

// similarMemory is a memory that a candidate may repeat or replace.
type similarMemory struct {
	memory.Memory
	same  bool // it says the same
	exact bool // in the same words
}

const (
	sameCosine   = 0.95 // raw cosine over which two texts with the same facts are one
	similarLimit = 20   // memories of each lane to compare with
)

// findSimilar returns the memories that are most like a text, forgotten ones
// included, so that a paraphrase of a forgotten text does not come back.
func (c *capturing) findSimilar(ctx context.Context, text string) (found []similarMemory, err error) {
	query := recall.Parse(text)
	query.Vector, query.Model = c.embedCandidate(ctx, text)
	p := memory.Predicate{Archive: true, Forgotten: memory.Include}
	near, err := c.db.SearchVector(ctx, query, p, similarLimit)
	if errors.Is(err, memory.ErrUnavailable) {
		c.noEmbed, err = err.Error(), nil
	}
	if err != nil {
		return nil, err
	}
	byWords, err := c.db.SearchText(ctx, query, p, similarLimit)
	if err != nil {
		return nil, err
	}
	cosines, ids := map[memory.ID]float64{}, []memory.ID{}
	for _, n := range near {
		cosines[n.ID] = n.Raw
		ids = append(ids, n.ID)
	}
	for _, n := range byWords {
		if _, listed := cosines[n.ID]; !listed {
			ids = append(ids, n.ID)
		}
	}
	equal, err := c.presentWithText(ctx, text)
	if err != nil {
		return nil, err
	}
	memories, err := c.db.Visible(ctx, append(equal, ids...), p)
	if err != nil {
		return nil, err
	}
	mine, print := similar.New(text), chunker.Fingerprint(text)
	for _, m := range memories {
		theirs := similar.New(m.Text)
		s := similarMemory{Memory: m, exact: m.Fingerprint == print}
		s.same = s.exact || mine.NearDuplicate(&theirs) || cosines[m.ID] > sameCosine && mine.SameFacts(&theirs)
		found = append(found, s)
	}
	for i, s := range found { // the same words count before similar ones
		if s.exact {
			found[0], found[i] = found[i], found[0]
		}
	}
	return found, nil
}

// presentWithText returns the present memories with exactly this text.
func (c *capturing) presentWithText(ctx context.Context, text string) (ids []memory.ID, err error) {
	print := chunker.Fingerprint(text)
	known, err := c.db.Known(ctx, memory.KnownQuery{Fingerprints: []memory.Fingerprint{print}})
	for _, k := range known {
		if k.Fingerprint == print && !k.Missing {
			ids = append(ids, k.ID)
		}
	}
	return ids, err
}

// embedCandidate returns the vector of a text and its model, or nil and notes why.
func (c *capturing) embedCandidate(ctx context.Context, text string) ([]float32, string) {
	e := c.serving.Load().Embedder
	if _, isUnavailable := e.(unavailable); isUnavailable || e.Dim() == 0 {
		c.noEmbed = "no embedding provider"
		return nil, ""
	}
	ctx, cancel := context.WithTimeout(ctx, compareWithin)
	defer cancel()
	vectors, err := e.Embed(ctx, embed.Passage, []string{text})
	if err != nil || len(vectors) != 1 {
		c.noEmbed = "the embedding provider did not answer"
		return nil, ""
	}
	return vectors[0], e.Model()
}
