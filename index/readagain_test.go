package index_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/memory-tiered/memory/index"
)

// TestFilesAreReadAgainAfterAnUpgrade opens a database as a version left it that read less
// of a file. It knew fewer names of daily notes, and fewer places of a private comment.
func TestFilesAreReadAgainAfterAnUpgrade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiered.db")
	db := open(t, path, index.Options{})
	files := []string{"MEMORY.md", "memory/20261120-call.md", "memory/people.md"}
	for _, name := range files {
		apply(t, db, noon, file(name, "the heron of "+name))
	}
	if err := db.Exec("ALTER TABLE memories DROP COLUMN held; ALTER TABLE forgotten DROP COLUMN destroyed; DROP TABLE former_texts; PRAGMA user_version = 29"); err != nil {
		t.Fatal(err)
	}
	if err := db.CloseConnections(); err != nil {
		t.Fatal(err)
	}
	db = open(t, path, index.Options{})
	again, err := db.Column("SELECT path FROM files WHERE hash = zeroblob(32) ORDER BY path")
	if err != nil || !slices.Equal(again, files) {
		t.Errorf("%q are read again, %v", again, err)
	}
	ids, err := db.Column("SELECT id FROM memories")
	if err != nil || len(ids) != len(files) {
		t.Errorf("%d memories, %v", len(ids), err)
	}
}
