package index_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
)

// TestDatabaseOfADevelopmentVersionIsSetAside opens a database of a version that has no
// migration. Its rows are copied like those of a damaged one.
func TestDatabaseOfADevelopmentVersionIsSetAside(t *testing.T) {
	indextest.SQLiteOnly(t)
	const heron, secret = "the heron stands in the pond", "the vault code is four seven one one"
	path := filepath.Join(t.TempDir(), "tiered.db")
	db := open(t, path, index.Options{})
	apply(t, db, noon, file("MEMORY.md", heron, secret))
	update(t, db, noon, func(tx *index.Tx) error { return tx.ForgetText(id(secret)) })
	update(t, db, noon, func(tx *index.Tx) error {
		return tx.Audit(memory.AuditRow{Action: "pin", ID: id(heron), Source: "cli", Batch: "b"})
	})
	if err := db.Exec("ALTER TABLE memories DROP COLUMN held; ALTER TABLE memories ADD COLUMN nest TEXT; PRAGMA user_version = 31"); err != nil {
		t.Fatal(err)
	}
	closeNow(t, db)
	if _, err := index.Open(t.Context(), path, index.Options{ReadOnly: true}); !errors.Is(err, index.ErrNotReady) {
		t.Errorf("a reader: %v", err)
	}
	db = open(t, path, index.Options{Now: noon})
	if notices := strings.Join(db.Notices(), "; "); !strings.Contains(notices, "of an older development version") || !strings.Contains(notices, "2 memories were copied") {
		t.Error(notices)
	}
	if aside, _ := filepath.Glob(path + ".corrupt-*"); len(aside) != 1 {
		t.Errorf("set aside: %q", aside)
	}
	apply(t, db, noon, file("MEMORY.md", heron, secret))
	rows, err := db.Column("SELECT action FROM memory_audit WHERE memory_id = ?", id(heron))
	if err != nil || len(rows) != 1 || !isForgotten(t, db, secret) || isForgotten(t, db, heron) {
		t.Errorf("audit %q, %v; forgotten %v", rows, err, isForgotten(t, db, secret))
	}
	closeNow(t, db)
	if db = open(t, path, index.Options{}); len(db.Notices()) > 0 {
		t.Errorf("opened again: %q", db.Notices())
	}
}
