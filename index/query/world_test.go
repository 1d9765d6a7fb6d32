package query_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
)

// The memories of these tests are those of the conformance suite.
var (
	noon  = indextest.Noon
	id    = indextest.ID
	file  = indextest.File
	join  = indextest.Join
	query = indextest.Words
)

func open(t testing.TB, path string, o index.Options) *index.DB {
	t.Helper()
	db, err := index.Open(t.Context(), path, o)
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

func fresh(t testing.TB) *index.DB {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "tiered.db"), index.Options{})
}

func apply(t testing.TB, db *index.DB, at time.Time, b memory.Batch) {
	t.Helper()
	if err := db.Apply(t.Context(), at, b); err != nil {
		t.Fatal(err)
	}
}

func load(t testing.TB, db *index.DB) {
	t.Helper()
	if err := db.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// embedPending embeds all texts that have no vector of the suite's model.
func embedPending(t testing.TB, db *index.DB) error {
	for {
		pending, err := db.Pending(t.Context(), indextest.Model, 1000)
		if err != nil || len(pending) == 0 {
			return err
		}
		vectors := map[memory.Fingerprint][]float32{}
		for _, p := range pending {
			vectors[p.Fingerprint] = indextest.Embed(p.Text)
		}
		if err := db.PutVectors(t.Context(), indextest.Model, vectors); err != nil {
			return err
		}
	}
}
