package query

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/search"
	"github.com/memory-tiered/memory/index/sqlite"
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
	return found, sqlite.Wrap("search vectors", err)
}

// nearestOfAll looks at more and more of the nearest texts until k memories pass a filter. It
// reports false if too few pass.
func (s *Searcher) nearestOfAll(ctx context.Context, m vectors.Model, vector []float32, f *sqlFilter, k int) (found []memory.Candidate, done bool, err error) {
	for n := min(2*k+20, maxNeighbours); ; n = min(4*n, maxNeighbours) {
		rows := 0
		found = found[:0]
		err := s.db.Read().Each(ctx, `SELECT coalesce(c.memory_id, ''), near.distance, EXISTS (SELECT 1 FROM `+f.view+` w WHERE w.id = c.memory_id`+f.and()+`) FROM
			(SELECT fingerprint, vec_distance_l2(vector, ?) AS distance FROM embeddings WHERE model = ? AND length(vector) = ?
				AND code <> zeroblob(length(code)) ORDER BY distance LIMIT ?) near LEFT JOIN chunks c ON c.fingerprint = near.fingerprint`,
			slices.Concat(f.args, []any{vectors.Encode(vector), m.Name, 4 * m.Dim, n}), func(scan func(...any) error) error {
				var passes bool
				c, err := scanDistance(scan, &passes)
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

// nearestOfPassing compares the query with every vector of the memories that pass a filter.
func (s *Searcher) nearestOfPassing(ctx context.Context, m vectors.Model, vector []float32, f *sqlFilter, k int) (found []memory.Candidate, err error) {
	args := append([]any{vectors.Encode(vector), m.Name, 4 * m.Dim}, f.args...)
	err = s.db.Read().Each(ctx, `SELECT c.memory_id, min(vec_distance_l2(e.vector, ?)) AS distance
		FROM chunks c JOIN embeddings e ON e.fingerprint = c.fingerprint AND e.model = ?
		WHERE length(e.vector) = ? AND e.code <> zeroblob(length(e.code)) -- a vector of zeros is near nothing
		AND c.memory_id IN (`+f.ids()+`)
		GROUP BY c.memory_id ORDER BY distance, c.memory_id LIMIT ?`, append(args, k), func(scan func(...any) error) error {
		c, err := scanDistance(scan)
		found = append(found, c)
		return err
	})
	return found, err
}

// scanDistance reads a memory, its distance, and more columns.
func scanDistance(scan func(...any) error, more ...any) (c memory.Candidate, err error) {
	var distance float64
	err = scan(append([]any{&c.ID, &distance}, more...)...)
	c.Raw = 1 - distance*distance/2 // the cosine of unit vectors
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
