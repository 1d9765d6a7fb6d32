package index_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/index/postgres"
	"github.com/memory-tiered/memory/internal/must"
)

// onServer opens the index of a path on a server until the end of the test. The file beside the
// path names its schema.
func onServer(t *testing.T, url, path string) *index.DB {
	t.Helper()
	db := must.Get(index.Open(t.Context(), path, index.Options{Server: url}))(t)
	t.Cleanup(func() {
		name, err := os.ReadFile(index.SchemaFile(path))
		if err = errors.Join(err, db.Close()); err == nil {
			err = postgres.Drop(context.Background(), url, strings.TrimSpace(string(name)))
		}
		if err != nil {
			t.Error(err)
		}
	})
	return db
}

func TestAFileNamesTheSchemaOfAnIndexOnAServer(t *testing.T) {
	url := indextest.Postgres(t).URL
	path, other := filepath.Join(t.TempDir(), "state", "tiered.db"), filepath.Join(t.TempDir(), "tiered.db")
	apply(t, onServer(t, url, path), noon, file("a.md", "one", "two"))
	again := must.Get(index.Open(t.Context(), path, index.Options{Server: url, ReadOnly: true}))(t)
	defer again.Close()
	for name, c := range map[string]struct {
		db   *index.DB
		want int
	}{"the same path": {again, 2}, "another path": {onServer(t, url, other), 0}} {
		if n, err := c.db.ChunkCount(t.Context()); err != nil || n != c.want {
			t.Errorf("%s: %d chunks, want %d; %v", name, n, c.want, err)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a file of SQLite: %v", err)
	}
}

func TestAServerHasItsOwnBackups(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiered.db")
	db := onServer(t, indextest.Postgres(t).URL, path)
	apply(t, db, noon, file("a.md", "one"))
	err := db.Backup(t.Context(), path+".copy")
	var refused *memory.Error
	if !db.OnServer() || !errors.As(err, &refused) || !strings.Contains(refused.Hint, "pg_dump") {
		t.Errorf("a backup: %v", err)
	}
	if problems, err := db.Diagnose(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("problems %v, %v", problems, err)
	}
	if db.Path() != path {
		t.Errorf("the path is %s", db.Path())
	}
}

func TestAReaderWaitsForTheFirstOwnerOfASchema(t *testing.T) {
	_, err := index.Open(t.Context(), filepath.Join(t.TempDir(), "tiered.db"), index.Options{Server: "host=nowhere.invalid", ReadOnly: true})
	if !errors.Is(err, index.ErrNotReady) {
		t.Error(err)
	}
}
