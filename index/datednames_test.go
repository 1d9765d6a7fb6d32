package index_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/memory-tiered/memory/index"
)

// TestFilesWithDatedNamesAreReadAgain opens a database as the last version left it that
// read only names such as 2026-11-20.md.
func TestFilesWithDatedNamesAreReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiered.db")
	db := open(t, path, index.Options{})
	dated := []string{"memory/2026-11/20.md", "memory/2026.11.20.md", "memory/2026/11/20.md", "memory/20261120-call.md", "memory/2026_11_20.md"}
	for _, name := range append(dated, "MEMORY.md", "memory/2026-11-20.md", "memory/people.md") {
		apply(t, db, noon, file(name, "the heron of "+name))
	}
	if err := db.Exec("PRAGMA user_version = 29"); err != nil {
		t.Fatal(err)
	}
	if err := db.CloseConnections(); err != nil {
		t.Fatal(err)
	}
	db = open(t, path, index.Options{})
	again, err := db.Column("SELECT path FROM files WHERE hash = zeroblob(32) ORDER BY path")
	if err != nil || !slices.Equal(again, dated) {
		t.Errorf("%q are read again, %v", again, err)
	}
	ids, err := db.Column("SELECT id FROM memories")
	if err != nil || len(ids) != 8 {
		t.Errorf("%d memories, %v", len(ids), err)
	}
}
