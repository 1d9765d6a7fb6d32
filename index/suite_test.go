package index_test

import (
	"cmp"
	"context"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
)

// store is the part of an index that ingest and recall use.
type store interface {
	Files(ctx context.Context, paths ...string) ([]memory.FileState, error)
	Known(ctx context.Context, q identity.KnownQuery) ([]identity.KnownMemory, error)
	Apply(ctx context.Context, now time.Time, b memory.Batch) error

	UseModel(ctx context.Context, r index.ModelRole, model string, dim int) error
	PutVectors(ctx context.Context, model string, vectors map[memory.Fingerprint][]float32) error

	Search(ctx context.Context, q memory.Query, p memory.Predicate, k int, nearest bool) (memory.SearchResult, error)
	Visible(ctx context.Context, ids []memory.ID, p memory.Predicate) ([]memory.Memory, error)
}

// runSuite tests a store. newStore returns a new, empty store, and removes it at the end of t.
func runSuite(t *testing.T, newStore func(t *testing.T) store) {
	for _, test := range []struct {
		name string
		run  func(*suite)
	}{
		{"applying a batch twice has no further effect", (*suite).testApplyTwice},
		{"files are listed in order with their declarations", (*suite).testFiles},
		{"Known returns the union of its conditions", (*suite).testKnown},
		{"a missing memory is not found until its text returns", (*suite).testMissing},
		{"words find the texts that contain them", (*suite).testWords},
		{"query syntax has no effect", (*suite).testQuerySyntax},
		{"a score grows with the matched part of the query", (*suite).testScores},
		{"a vector finds its nearest neighbours", (*suite).testNeighbours},
		{"vectors follow every change", (*suite).testVectorChanges},
		{"a selective filter still returns k candidates", (*suite).testSelectiveFilter},
		{"filters apply to both lanes and to Visible", (*suite).testFilters},
		{"a memory holds if the request may get none that replaced it", (*suite).testSuccessors},
		{"the same files give the same answers after any history", (*suite).testHistories},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(&suite{t, newStore(t), newStore}) })
	}
}

type suite struct {
	*testing.T
	store
	newStore func(t *testing.T) store
}

func (s *suite) apply(at time.Time, b memory.Batch) {
	s.Helper()
	must.Do(s, s.Apply(s.Context(), at, b))
}

// embed sets the model and stores the vectors of some texts.
func (s *suite) embed(texts ...string) {
	s.Helper()
	must.Do(s, s.UseModel(s.Context(), index.ServingModel, indextest.Model, indextest.Dim))
	vectors := map[memory.Fingerprint][]float32{}
	for _, text := range texts {
		vectors[indextest.Fingerprint(text)] = indextest.Embed(text)
	}
	must.Do(s, s.PutVectors(s.Context(), indextest.Model, vectors))
}

// byWords returns the texts whose own words match best, best first.
func (s *suite) byWords(q memory.Query, p memory.Predicate, k int) []string {
	s.Helper()
	found, err := s.Search(s.Context(), q, p, 2*k, false)
	if err != nil {
		s.Fatalf("%+v: %v", q.Terms, err)
	}
	return s.texts(found.ByWords(k), p)
}

// byVector returns the texts nearest to a text.
func (s *suite) byVector(text string, p memory.Predicate, k int) []string {
	s.Helper()
	found, err := s.Search(s.Context(), memory.Query{Vector: indextest.Embed(text)}, p, k, true)
	must.Do(s, cmp.Or(err, found.VectorError))
	return s.texts(found.Nearest, p)
}

// texts returns the texts of candidates. It also checks the order, scores from 0 to 1,
// that no memory is repeated, and that Visible returns every candidate.
func (s *suite) texts(found []memory.Candidate, p memory.Predicate) (out []string) {
	s.Helper()
	var ids []memory.ID
	seen := map[memory.ID]bool{}
	for i, c := range found {
		if i > 0 && c.Raw > found[i-1].Raw || !(c.Score >= 0 && c.Score <= 1) || seen[c.ID] {
			s.Errorf("candidate %d is out of order, repeated, or has a score outside 0 to 1: %+v", i, found)
		}
		seen[c.ID] = true
		ids = append(ids, c.ID)
	}
	memories := must.Get(s.Visible(s.Context(), ids, p))(s)
	if len(memories) != len(ids) {
		s.Errorf("%d candidates, of which %d are visible", len(ids), len(memories))
	}
	for _, m := range memories {
		out = append(out, m.Text)
	}
	return out
}
