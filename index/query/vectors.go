package query

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/search"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/vectors"
)

// maxNeighbours is the number of texts that are looked up at most for the nearest vectors.
const maxNeighbours = 4096

// nearestInTables returns the k memories nearest to a vector that pass the predicate,
// nearest first.
func (s *Searcher) nearestInTables(ctx context.Context, m vectors.Model, vector []float32, p memory.Predicate, k int) (found []memory.Candidate, err error) {
	defer s.trackQuery()()
	p, err = s.listForgotten(ctx, p)
	if errors.Is(err, errMatchesNothing) {
		return nil, nil
	}
	f := compile(p)
	if n := len(p.IDs); err == nil && (n == 0 || n > maxRestricted) {
		var done bool
		if found, done, err = s.nearestOfAll(ctx, m, vector, f, k); done {
			return found, nil
		}
	}
	if err == nil {
		found, err = s.nearestOfPassing(ctx, m, vector, f, k)
	}
	return found, sqldb.Wrap("search vectors", err)
}

// shortlist is the number of texts among which the k nearest are looked for.
func shortlist(k int) int { return 2*k + 20 }

// nearestOfAll looks at more and more of the nearest texts until k memories pass a filter. It
// reports false if too few pass.
func (s *Searcher) nearestOfAll(ctx context.Context, m vectors.Model, vector []float32, f *sqlFilter, k int) (found []memory.Candidate, done bool, err error) {
	for n := min(shortlist(k), maxNeighbours); ; n = min(4*n, maxNeighbours) {
		rows := 0
		found = found[:0]
		err := s.db.Read().Each(ctx, `SELECT coalesce(c.memory_id, ''), near.vector, EXISTS (SELECT 1 FROM `+f.view+` w WHERE w.id = c.memory_id`+f.and()+`) FROM
			(SELECT fingerprint, vector, `+s.db.Distance("vector", m.Dim)+` AS distance FROM embeddings WHERE model = ? AND length(vector) = ?
				AND sum <> ? ORDER BY distance LIMIT ?) near LEFT JOIN chunks c ON c.fingerprint = near.fingerprint`,
			slices.Concat(f.args, []any{vectors.Upper(vector), m.Key(), m.Size(), m.ZeroSum(), n}), func(scan func(...any) error) error {
				var passes bool
				c, err := scanVector(scan, vector, &passes)
				if rows++; passes {
					found = append(found, c)
				}
				return err
			})
		if found = bestPerMemory(found); err != nil || len(found) >= k || rows < n {
			return found[:min(k, len(found))], err == nil, err
		}
		if n == maxNeighbours {
			return nil, false, nil
		}
	}
}

// nearestOfPassing compares the query with every vector of the memories that pass a filter. It
// reads more of the nearest while several of them are chunks of one memory.
func (s *Searcher) nearestOfPassing(ctx context.Context, m vectors.Model, vector []float32, f *sqlFilter, k int) (found []memory.Candidate, err error) {
	for n := shortlist(k); ; n *= 4 {
		rows := 0
		found = found[:0]
		args := slices.Concat([]any{vectors.Upper(vector), m.Key(), m.Size(), m.ZeroSum()}, f.args, []any{n})
		err = s.db.Read().Each(ctx, `SELECT c.memory_id, e.vector, `+s.db.Distance("e.vector", m.Dim)+` AS distance
			FROM chunks c JOIN embeddings e ON e.fingerprint = c.fingerprint AND e.model = ?
			WHERE length(e.vector) = ? AND e.sum <> ? -- a vector of zeros is near nothing
			AND c.memory_id IN (`+f.ids()+`) ORDER BY distance, c.memory_id LIMIT ?`, args, func(scan func(...any) error) error {
			var distance float64
			c, err := scanVector(scan, vector, &distance)
			rows, found = rows+1, append(found, c)
			return err
		})
		if found = bestPerMemory(found); err != nil || len(found) >= k || rows < n {
			return found[:min(k, len(found))], err
		}
	}
}

// scanVector reads a memory, its vector, and more columns. The candidate has the exact cosine.
func scanVector(scan func(...any) error, query []float32, more ...any) (c memory.Candidate, err error) {
	var stored sql.RawBytes
	err = scan(append([]any{&c.ID, &stored}, more...)...)
	for i, number := range vectors.Decode(stored) {
		c.Raw += float64(number) * float64(query[i])
	}
	c.Score = search.VectorScore(c.Raw)
	return c, err
}

func idsOf(all []memory.Candidate) []memory.ID {
	ids := make([]memory.ID, len(all))
	for i, c := range all {
		ids[i] = c.ID
	}
	return ids
}

// bestPerMemory keeps the best candidate of each memory, best first; equal ones by id.
func bestPerMemory(all []memory.Candidate) []memory.Candidate {
	all = slices.Clone(all)
	slices.SortStableFunc(all, compareRaw)
	seen := make(map[memory.ID]bool, len(all))
	return slices.DeleteFunc(all, func(c memory.Candidate) bool {
		again := seen[c.ID]
		seen[c.ID] = true
		return again
	})
}

func compareRaw(a, b memory.Candidate) int {
	switch {
	case a.Raw > b.Raw:
		return -1
	case a.Raw < b.Raw:
		return 1
	}
	return strings.Compare(string(a.ID), string(b.ID))
}

func isZero(vector []float32) bool {
	return !slices.ContainsFunc(vector, func(number float32) bool { return number != 0 })
}
