// Package indextest has the memories, batches and databases of the tests of index and its
// subpackages.
package indextest

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/vectors"
)

// Open opens a database until the end of the test.
func Open(t testing.TB, path string, o index.Options) *index.DB {
	t.Helper()
	db, err := TryOpen(t, path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// TryOpen opens a database on the backend of the tests.
func TryOpen(t testing.TB, path string, o index.Options) (*index.DB, error) {
	t.Helper()
	return index.Open(t.Context(), path, onBackend(t, path, o))
}

// New opens a new database in a folder of its own.
func New(t testing.TB) *index.DB {
	t.Helper()
	return Open(t, filepath.Join(t.TempDir(), "state", "tiered.db"), index.Options{})
}

// Apply applies a batch.
func Apply(t testing.TB, db *index.DB, at time.Time, b memory.Batch) {
	t.Helper()
	if err := db.Apply(t.Context(), at, b); err != nil {
		t.Fatal(err)
	}
}

// EmbedPending stores vectors of [Embed] for all texts that have none of [Model].
func EmbedPending(t testing.TB, db *index.DB) error {
	for {
		pending, err := db.Pending(t.Context(), Model, 1000, true)
		if err != nil || len(pending) == 0 {
			return err
		}
		vectors := map[memory.Fingerprint][]float32{}
		for _, p := range pending {
			vectors[p.Fingerprint] = Embed(p.Text)
		}
		if err := db.PutVectors(t.Context(), Model, vectors); err != nil {
			return err
		}
	}
}

// Stored returns the vector of a text as the database keeps it.
func Stored(text string) []float32 { return vectors.Decode(vectors.Encode(Embed(text))) }
