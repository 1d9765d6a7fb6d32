package index

import (
	"context"
	"errors"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Weights of a chunk's columns in BM25: a word in a heading, a date or a file's
// name says less about a memory than one in its text, and so does a part of a
// longer word.
const bm25 = "bm25(memories_fts, 1.0, 0.4, 0.5)"

// chunkHit is a chunk that the keyword index found.
type chunkHit struct {
	memory.Candidate
	text, context, parts string
}

// SearchText gives the k memories that match the query's terms best and that the
// predicate lets through, best first. Raw is BM25 of a memory's best chunk with
// what an exact identifier adds; how Score comes about stands at [keywordScore].
// Words that no memory has find nothing, which is no error.
func (db *DB) SearchText(ctx context.Context, q memory.Query, p memory.Predicate, k int) ([]memory.Candidate, error) {
	terms := compileTerms(q.Terms)
	if len(terms) == 0 || k <= 0 {
		return nil, nil
	}
	p, err := db.restrictToForgotten(ctx, p)
	if errors.Is(err, errMatchesNothing) {
		return nil, nil
	}
	if err != nil {
		return nil, sqlite.Wrap("search words", err)
	}
	total, err := db.setIDF(ctx, terms)
	if err != nil {
		return nil, sqlite.Wrap("search words", err)
	}
	f := newFilter(p)
	hits, err := db.bestChunks(ctx, terms, f, k)
	if err == nil && len(hits) == 0 {
		hits, err = db.substringHits(ctx, terms, f, k)
	}
	return scoreHits(hits, terms, total, k), sqlite.Wrap("search words", err)
}

// bestChunks gives the visible chunks that match best, several a memory. It asks for
// some more than needed, and if too few of those are let through, for all.
func (db *DB) bestChunks(ctx context.Context, terms []term, f *sqlFilter, k int) ([]chunkHit, error) {
	n := 2*k + 50
	hits, err := db.chunkHits(ctx, `SELECT c.memory_id, -f.score, c.text, c.context, c.parts FROM
		(SELECT rowid AS id, `+bm25+` AS score FROM memories_fts WHERE memories_fts MATCH ? ORDER BY score LIMIT ?) f
		JOIN chunks c ON c.id = f.id ORDER BY f.score`, expression(terms), n)
	if err != nil {
		return nil, err
	}
	kept, memories, err := db.visibleHits(ctx, hits, f)
	if err != nil || memories >= k || len(hits) < n {
		return kept, err
	}
	return db.chunkHits(ctx, `SELECT c.memory_id, -f.score, c.text, c.context, c.parts FROM
		(SELECT rowid AS chunk, `+bm25+` AS score FROM memories_fts WHERE memories_fts MATCH ?) f
		JOIN chunks c ON c.id = f.chunk WHERE c.memory_id IN (SELECT id FROM `+f.view+` WHERE true`+f.and()+`)
		ORDER BY f.score LIMIT ?`, append(append([]any{expression(terms)}, f.args...), n)...)
}

func (db *DB) chunkHits(ctx context.Context, query string, args ...any) (hits []chunkHit, err error) {
	err = db.sql.Read().Each(ctx, query, args, func(scan func(...any) error) error {
		var h chunkHit
		err := scan(&h.ID, &h.Raw, &h.text, &h.context, &h.parts)
		hits = append(hits, h)
		return err
	})
	return hits, err
}

// visibleHits keeps the chunks of memories that are let through, and counts
// those memories.
func (db *DB) visibleHits(ctx context.Context, hits []chunkHit, f *sqlFilter) ([]chunkHit, int, error) {
	ids := make([]memory.ID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	visible, err := db.visibleIDs(ctx, ids, f)
	return slices.DeleteFunc(hits, func(h chunkHit) bool { return !visible[h.ID] }), len(visible), err
}

// scoreHits gives the candidates their scores, and each memory its best one.
func scoreHits(hits []chunkHit, terms []term, total float64, k int) []memory.Candidate {
	rated := make([]memory.Candidate, len(hits))
	for i, h := range hits {
		found, exact := h.answeredIDF(terms)
		rated[i] = memory.Candidate{ID: h.ID, Raw: h.Raw + exact, Score: keywordScore(h.Raw+exact, found/total)}
	}
	best := bestPerMemory(rated)
	return best[:min(k, len(best))]
}
