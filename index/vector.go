package index

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// What a cosine says: at or below unrelated it says nothing, at or above
// related it says all. Sentence embeddings of unrelated texts lie round 0.1 to
// 0.2, paraphrases above 0.7. The curve knows nothing of the other candidates.
const (
	zeroCosine = 0.15
	fullCosine = 0.75
)

func vectorScore(cosine float64) float64 {
	return min(1, max(0, (cosine-zeroCosine)/(fullCosine-zeroCosine)))
}

// SearchVector gives the k memories nearest to the query's vector that the predicate
// lets through, nearest first; Raw is the cosine. Without a vector in the query
// there are none. While no model is set, or the query's vector is another
// model's, it is unavailable.
func (db *DB) SearchVector(ctx context.Context, q memory.Query, p memory.Predicate, k int) ([]memory.Candidate, error) {
	if q.Vector == nil || k <= 0 || db.lanes.matchesNothing(p) {
		return nil, nil
	}
	m, err := db.modelFor(ctx, q)
	switch {
	case err != nil:
		return nil, err
	case isZero(q.Vector):
		return nil, nil // the model knows none of its words
	}
	if found, done := db.nearestInMemory(ctx, m, q.Vector, p, k); done {
		return found, nil
	}
	defer db.lanes.trackQuery()()
	p, err = db.restrictToForgotten(ctx, p)
	if errors.Is(err, errMatchesNothing) {
		return nil, nil
	}
	if err != nil {
		return nil, sqlite.Wrap("search vectors", err)
	}
	f := newFilter(p)
	if n := len(p.IDs); m.table != "" && (n == 0 || n > maxRestricted) {
		found, done, err := db.nearestVec0(ctx, m, q.Vector, f, k)
		if done || ctx.Err() != nil {
			return found, sqlite.Wrap("search vectors", err)
		}
	}
	found, err := db.compareAll(ctx, m, q.Vector, f, k)
	return found, sqlite.Wrap("compare vectors", err)
}

// modelFor gives the model whose vectors a query's can be compared with.
func (db *DB) modelFor(ctx context.Context, q memory.Query) (model, error) {
	m, err := db.serving(ctx)
	switch {
	case err != nil:
		return m, err
	case m.name == "":
		return m, memory.Unavailable(nil, "no embedding model is set")
	case q.Model != "" && q.Model != m.name:
		return m, memory.Unavailable(nil, "the query's vector is one of %s, those stored are of %s", q.Model, m.name)
	case len(q.Vector) != m.dim:
		return m, memory.Unavailable(nil, "the query's vector has %d numbers, those of %s have %d", len(q.Vector), m.name, m.dim)
	}
	return m, nil
}

// nearestVec0 asks vec0 for more and more neighbours until k of them are let
// through. done is false where vec0 cannot tell: an error, or too few among all
// that it gives at once.
func (db *DB) nearestVec0(ctx context.Context, m model, vec []float32, f *sqlFilter, k int) (found []memory.Candidate, done bool, err error) {
	for n := min(2*k+20, maxNeighbours); ; n = min(4*n, maxNeighbours) {
		all, err := db.vec0Neighbours(ctx, m, vec, n)
		if err != nil {
			return nil, false, err
		}
		found, err := db.visibleBest(ctx, all, f, k)
		if err != nil || len(found) == k || len(all) < n {
			return found, true, err
		}
		if n == maxNeighbours {
			return nil, false, nil
		}
	}
}

// compareAll compares the query with every vector that the filter lets through. It
// serves where vec0 does not: no table, more neighbours than it gives, a filter that
// leaves few.
func (db *DB) compareAll(ctx context.Context, m model, vec []float32, f *sqlFilter, k int) (found []memory.Candidate, err error) {
	args := append([]any{encodeVector(vec), m.name, 4 * m.dim}, f.args...)
	err = db.sql.Read().Each(ctx, `SELECT c.memory_id, min(vec_distance_l2(e.vector, ?)) AS distance
		FROM chunks c JOIN embeddings e ON e.fingerprint = c.fingerprint AND e.model = ?
		WHERE length(e.vector) = ? AND e.code <> zeroblob(length(e.code)) -- a vector of zeros is near nothing
		AND c.memory_id IN (SELECT id FROM `+f.view+` WHERE true`+f.and()+`)
		GROUP BY c.memory_id ORDER BY distance, c.memory_id LIMIT ?`, append(args, k), func(scan func(...any) error) error {
		var c memory.Candidate
		var distance float64
		err := scan(&c.ID, &distance)
		c.Raw = cosineOf(distance)
		c.Score = vectorScore(c.Raw)
		found = append(found, c)
		return err
	})
	return found, err
}

// cosineOf is the cosine of two unit vectors by their distance.
func cosineOf(distance float64) float64 { return 1 - distance*distance/2 }

// visibleBest keeps the best candidate of each memory, those that the filter lets
// through, and of them the first k.
func (db *DB) visibleBest(ctx context.Context, all []memory.Candidate, f *sqlFilter, k int) ([]memory.Candidate, error) {
	best := bestPerMemory(all)
	visible, err := db.visibleIDs(ctx, idsOf(best), f)
	if err != nil {
		return nil, err
	}
	best = slices.DeleteFunc(best, func(c memory.Candidate) bool { return !visible[c.ID] })
	if len(best) > k {
		best = best[:k]
	}
	for i := range best {
		best[i].Score = vectorScore(best[i].Raw)
	}
	return best, nil
}

func idsOf(all []memory.Candidate) []memory.ID {
	ids := make([]memory.ID, len(all))
	for i, c := range all {
		ids[i] = c.ID
	}
	return ids
}

// bestPerMemory keeps the best chunk of each memory, best first; equals by id.
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
