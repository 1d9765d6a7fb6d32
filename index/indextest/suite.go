// Package indextest is the conformance suite of an index: whatever keeps the
// memories, on SQLite or on a server, has to pass it.
package indextest

import (
	"context"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
)

// Store is an index as those who fill and those who ask it need it.
type Store interface {
	Files(ctx context.Context) ([]memory.FileState, error)
	Known(ctx context.Context, q memory.KnownQuery) ([]identity.KnownMemory, error)
	Apply(ctx context.Context, now time.Time, b memory.Batch) error

	SetModel(ctx context.Context, model string, dim int) error
	PutVectors(ctx context.Context, model string, vectors map[memory.Fingerprint][]float32) error

	SearchText(ctx context.Context, q memory.Query, p memory.Predicate, k int) ([]memory.Candidate, error)
	SearchVector(ctx context.Context, q memory.Query, p memory.Predicate, k int) ([]memory.Candidate, error)
	Visible(ctx context.Context, ids []memory.ID, p memory.Predicate) ([]memory.Memory, error)
}

// Run holds a store to what the rest of the product relies on. make gives a
// fresh and empty one each time and clears it away with t.
func Run(t *testing.T, make func(t *testing.T) Store) {
	for _, test := range []struct {
		name string
		run  func(*suite)
	}{
		{"applying twice is the same as once", (*suite).twice},
		{"files come back in order with what they declare", (*suite).files},
		{"known is the union of what was asked for", (*suite).known},
		{"a missing memory leaves both lanes and comes back", (*suite).missing},
		{"words find what holds them", (*suite).words},
		{"no query can be more than words", (*suite).harmless},
		{"a score says how much of the query is answered", (*suite).calibrated},
		{"vectors find what is near", (*suite).vectors},
		{"vectors follow every change", (*suite).follow},
		{"a lane fetches on until enough are let through", (*suite).overfetch},
		{"filters hold in both lanes and in the view", (*suite).filters},
		{"any way to the same files ends in the same answers", (*suite).histories},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(&suite{t, make(t), make}) })
	}
}

type suite struct {
	*testing.T
	Store
	make func(t *testing.T) Store
}

func (s *suite) apply(at time.Time, b memory.Batch) {
	s.Helper()
	if err := s.Apply(s.Context(), at, b); err != nil {
		s.Fatal(err)
	}
}

// embed sets the model and makes the vectors of some texts known.
func (s *suite) embed(texts ...string) {
	s.Helper()
	if err := s.SetModel(s.Context(), Model, Dim); err != nil {
		s.Fatal(err)
	}
	vectors := map[memory.Fingerprint][]float32{}
	for _, text := range texts {
		vectors[Fingerprint(text)] = Embed(text)
	}
	if err := s.PutVectors(s.Context(), Model, vectors); err != nil {
		s.Fatal(err)
	}
}

// byWords are the texts that the keyword lane finds, in its order.
func (s *suite) byWords(q memory.Query, p memory.Predicate, k int) []string {
	s.Helper()
	found, err := s.SearchText(s.Context(), q, p, k)
	if err != nil {
		s.Fatalf("%+v: %v", q.Terms, err)
	}
	return s.texts(found, p)
}

// byVector are the texts that the vector lane finds near another.
func (s *suite) byVector(text string, p memory.Predicate, k int) []string {
	s.Helper()
	found, err := s.SearchVector(s.Context(), memory.Query{Vector: Embed(text)}, p, k)
	if err != nil {
		s.Fatal(err)
	}
	return s.texts(found, p)
}

// texts also checks what holds for every lane: best first, scores from 0 to 1,
// a memory once, and nothing that the view does not show.
func (s *suite) texts(found []memory.Candidate, p memory.Predicate) (out []string) {
	s.Helper()
	var ids []memory.ID
	seen := map[memory.ID]bool{}
	for i, c := range found {
		if i > 0 && c.Raw > found[i-1].Raw || !(c.Score >= 0 && c.Score <= 1) || seen[c.ID] {
			s.Errorf("candidate %d out of order, twice or beyond 0 to 1: %+v", i, found)
		}
		seen[c.ID] = true
		ids = append(ids, c.ID)
	}
	memories, err := s.Visible(s.Context(), ids, p)
	if err != nil {
		s.Fatal(err)
	}
	if len(memories) != len(ids) {
		s.Errorf("the lane found %d, the view shows %d of them", len(ids), len(memories))
	}
	for _, m := range memories {
		out = append(out, m.Text)
	}
	return out
}
