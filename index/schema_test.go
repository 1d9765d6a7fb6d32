package index_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// withMigrations returns the schema with some more scripts.
func withMigrations(t *testing.T, more map[string]string) fs.FS {
	t.Helper()
	all := fstest.MapFS{}
	names, err := fs.Glob(index.Schema(), "schema/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(index.Schema(), name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = &fstest.MapFile{Data: text}
	}
	for name, text := range more {
		all["schema/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return all
}

// TestMigrationsRunOnceAndInOrder upgrades a database with two migrations, and then with
// one more.
func TestMigrationsRunOnceAndInOrder(t *testing.T) {
	db := fresh(t)
	apply(t, db, noon, file("MEMORY.md", "the heron stands in the pond"))
	zeroHashes := func() string {
		t.Helper()
		paths, err := db.Column("SELECT path FROM files WHERE hash = zeroblob(32)")
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(paths, " ")
	}
	migrations := map[string]string{
		"9001_birds.sql": "-- reindex: no\nCREATE TABLE birds (name TEXT) STRICT;",
		"9002_heron.sql": "-- reindex: no\nINSERT INTO birds VALUES ('heron');",
	}
	expect := func(names, readAgain string) {
		t.Helper()
		for range 2 {
			if err := db.Migrate(t.Context(), withMigrations(t, migrations)); err != nil {
				t.Fatal(err)
			}
		}
		birds, err := db.Column("SELECT name FROM birds ORDER BY rowid")
		if err != nil || strings.Join(birds, " ") != names || zeroHashes() != readAgain {
			t.Errorf("%q, read again %q, %v; want %q, %q", birds, zeroHashes(), err, names, readAgain)
		}
	}
	expect("heron", "")
	maps.Copy(migrations, map[string]string{"9003_owl.sql": "-- reindex: yes\nINSERT INTO birds VALUES ('owl');"})
	expect("heron owl", "MEMORY.md")
}

func TestFailedMigrationChangesNothing(t *testing.T) {
	db := fresh(t)
	before, err := db.Column("SELECT name FROM sqlite_schema ORDER BY name")
	if err != nil {
		t.Fatal(err)
	}
	err = db.Migrate(t.Context(), withMigrations(t, map[string]string{
		"9001_birds.sql": "-- reindex: yes\nCREATE TABLE birds (name TEXT) STRICT;",
		"9002_heron.sql": "-- reindex: no\nINSERT INTO bird VALUES ('heron');",
	}))
	after, readErr := db.Column("SELECT name FROM sqlite_schema ORDER BY name")
	if err == nil || readErr != nil || strings.Join(after, ";") != strings.Join(before, ";") {
		t.Errorf("%v, %v, %q", err, readErr, after)
	}
}

// TestMigrationsAreNumberedInOrder finds a number that is used twice or left out, and a
// first line that is missing.
func TestMigrationsAreNumberedInOrder(t *testing.T) {
	names, err := fs.Glob(index.Schema(), "schema/[0-9]*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		text, err := fs.ReadFile(index.Schema(), name)
		if want := fmt.Sprintf("schema/%d_", index.FirstVersion+i+1); err != nil || !strings.HasPrefix(name, want) {
			t.Errorf("%s follows %d migrations (%v)", name, i, err)
		}
		if !strings.HasPrefix(string(text), "-- reindex: ") {
			t.Errorf("%s does not say whether the index must be rebuilt", name)
		}
	}
}

// TestDatabaseOfADevelopmentVersionIsSetAside opens a database of a version that has no
// migration. Its rows are copied like those of a damaged one.
func TestDatabaseOfADevelopmentVersionIsSetAside(t *testing.T) {
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
