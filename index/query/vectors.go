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

// maxNeighbours is the number of neighbours that vec0 returns at most.
const maxNeighbours = 4096

// nearestInTables returns the k memories nearest to a vector that pass the predicate,
// nearest first.
func (s *Searcher) nearestInTables(ctx context.Context, m vectors.Model, vector []float32, p memory.Predicate, k int) ([]memory.Candidate, error) {
	defer s.trackQuery()()
	p, err := s.listForgotten(ctx, p)
	if errors.Is(err, errMatchesNothing) {
		return nil, nil
	}
	if err != nil {
		return nil, sqlite.Wrap("search vectors", err)
	}
	f := compile(p)
	if n := len(p.IDs); m.Table != "" && (n == 0 || n > maxRestricted) {
		found, done, err := s.nearestByVec0(ctx, m, vector, f, k)
		if done || ctx.Err() != nil {
			return found, sqlite.Wrap("search vectors", err)
		}
	}
	found, err := s.nearestByComparison(ctx, m, vector, f, k)
	return found, sqlite.Wrap("compare vectors", err)
}

// nearestByVec0 asks vec0 for more and more neighbours until k of them pass a filter.
// It reports false where vec0 fails, or where too few of its largest answer pass.
func (s *Searcher) nearestByVec0(ctx context.Context, m vectors.Model, vector []float32, f *sqlFilter, k int) (found []memory.Candidate, done bool, err error) {
	for n := min(2*k+20, maxNeighbours); ; n = min(4*n, maxNeighbours) {
		found, all, err := s.vec0Neighbours(ctx, m, vector, n, f)
		if err != nil {
			return nil, false, err
		}
		if len(found) >= k || all < n {
			return found[:min(k, len(found))], true, nil
		}
		if n == maxNeighbours {
			return nil, false, nil
		}
	}
}

// vec0Neighbours returns those memories of the n nearest chunks that pass a filter, nearest
// first, and how many chunks vec0 found.
func (s *Searcher) vec0Neighbours(ctx context.Context, m vectors.Model, vector []float32, n int, f *sqlFilter) (found []memory.Candidate, all int, err error) {
	err = s.db.Read().Each(ctx, "SELECT c.memory_id, v.distance, EXISTS (SELECT 1 FROM "+f.view+" w WHERE w.id = c.memory_id"+f.and()+`) FROM
		(SELECT rowid, distance FROM `+m.Table+` WHERE embedding MATCH ? AND k = ?) v JOIN chunks c ON c.id = v.rowid`,
		slices.Concat(f.args, []any{vectors.Encode(vector), n}), func(scan func(...any) error) error {
			var passes bool
			c, err := scanDistance(scan, &passes)
			if all++; passes {
				found = append(found, c)
			}
			return err
		})
	return bestPerMemory(found), all, err
}

// nearestByComparison compares the query with every vector of the memories that pass a
// filter. It serves where vec0 does not: there is no table, vec0 returns too few, or
// the filter passes few memories.
func (s *Searcher) nearestByComparison(ctx context.Context, m vectors.Model, vector []float32, f *sqlFilter, k int) (found []memory.Candidate, err error) {
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
