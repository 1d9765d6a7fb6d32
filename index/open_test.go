package index_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
)

func TestMemoriesAreFoundAfterReopening(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiered.db")
	db := open(t, path, index.Options{})
	apply(t, db, noon, file("a.md", "lasting words"))
	embedAll(t, db)
	closeNow(t, db)
	db = open(t, path, index.Options{})
	if got := search(t, db, query("lasting"), memory.Predicate{}); len(got) != 1 || len(db.Notices()) != 0 {
		t.Errorf("found %q, notices %q", got, db.Notices())
	}
	if got := nearest(t, db, "lasting words", memory.Predicate{}); len(got) != 1 {
		t.Errorf("nearest: %q", got)
	}
}

func TestDatabaseOfANewerVersionIsRefusedAndUnchanged(t *testing.T) {
	indextest.SQLiteOnly(t)
	path := filepath.Join(t.TempDir(), "tiered.db")
	db := open(t, path, index.Options{})
	apply(t, db, noon, file("a.md", "from the future"))
	must.Do(t, db.Exec("PRAGMA user_version = 999; UPDATE meta SET value = '999' WHERE key = 'schema'"))
	must.Do(t, db.Checkpoint(t.Context()))
	must.Do(t, db.CloseConnections())
	before := read(t, path)
	for _, o := range []index.Options{{}, {ReadOnly: true}} {
		_, err := index.Open(t.Context(), path, o)
		if !errors.Is(err, memory.ErrUnavailable) || !strings.Contains(err.Error(), "newer version") {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if !bytes.Equal(before, read(t, path)) {
		t.Error("the file was written")
	}
	if all, _ := filepath.Glob(path + ".corrupt*"); len(all) > 0 {
		t.Errorf("set aside: %q", all)
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	b := must.Get(os.ReadFile(path))(t)
	return b
}

func TestForeignFileIsSetAside(t *testing.T) {
	indextest.SQLiteOnly(t)
	foreign := filepath.Join(t.TempDir(), "foreign.db")
	db := must.Get(sql.Open("sqlite", foreign))(t)
	must.Get(db.Exec("CREATE TABLE holiday_pictures(id)"))(t)
	must.Do(t, db.Close())
	for name, content := range map[string][]byte{
		"a text":                     []byte(strings.Repeat("this is no database\n", 1000)),
		"a header without pages":     append([]byte("SQLite format 3\x00"), make([]byte, 84)...),
		"another program's database": read(t, foreign),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "tiered.db")
			must.Do(t, os.WriteFile(path, content, 0o600))
			db := open(t, path, index.Options{Now: noon})
			apply(t, db, noon, file("a.md", "works again"))
			if got := search(t, db, query("works"), memory.Predicate{}); len(got) != 1 || len(db.Notices()) == 0 {
				t.Errorf("found %q, notices %q", got, db.Notices())
			}
			if !bytes.Equal(content, read(t, path+".corrupt-20261120-120000")) {
				t.Error("the file that was set aside changed")
			}
		})
	}
}

func TestEmptyFileBecomesADatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiered.db")
	must.Do(t, os.WriteFile(path, nil, 0o600))
	if db := open(t, path, index.Options{}); len(db.Notices()) != 0 {
		t.Errorf("%q", db.Notices())
	}
}

func TestReadOnlyDatabaseIsSearchedBesideTheOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiered.db")
	if _, err := index.Open(t.Context(), path, index.Options{ReadOnly: true}); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("without a database: %v", err)
	}
	owner := open(t, path, index.Options{})
	apply(t, owner, noon, file("a.md", "seen by both"))
	err := owner.Update(t.Context(), noon, func(tx *index.Tx) error { // during a transaction
		if err := tx.Apply(file("b.md", "not seen yet")); err != nil {
			return err
		}
		reader := open(t, path, index.Options{ReadOnly: true})
		if got := search(t, reader, query("seen"), memory.Predicate{}); len(got) != 1 {
			t.Errorf("found %q", got)
		}
		if err := reader.Apply(t.Context(), noon, file("c.md", "x")); !errors.Is(err, memory.ErrUnavailable) {
			t.Errorf("Apply: %v", err)
		}
		return reader.Checkpoint(t.Context())
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestDamagedDatabaseIsRestoredAfterACrash damages pages in the middle of a database
// that was not closed. Every memory keeps its id and its state.
func TestDamagedDatabaseIsRestoredAfterACrash(t *testing.T) {
	indextest.SQLiteOnly(t)
	path := filepath.Join(t.TempDir(), "tiered.db")
	db := open(t, path, index.Options{})
	var all []string
	for i := range 300 {
		all = append(all, strings.Repeat("memory ", i%7+1)+string(rune('a'+i%26))+strings.Repeat("x", i))
	}
	apply(t, db, noon, file("a.md", all...))
	must.Do(t, db.Update(t.Context(), noon, func(tx *index.Tx) error { return tx.SetContext("b", "", "on holiday", noon.AddDate(1, 0, 0)) }))
	update(t, db, noon, func(tx *index.Tx) error { return tx.ForgetText(id(all[0])) })
	backup := filepath.Join(t.TempDir(), "backup.db")
	must.Do(t, db.Backup(t.Context(), backup))
	must.Do(t, db.Checkpoint(t.Context()))
	if err := db.CloseConnections(); err != nil { // as a crash would
		t.Fatal(err)
	}
	b := read(t, path)
	for at := len(b) / 3 &^ 4095; at < len(b)/3+20*4096; at++ {
		b[at] = 0xa5
	}
	must.Do(t, os.WriteFile(path, b, 0o600))

	db = open(t, path, index.Options{Now: noon, Backup: backup})
	if len(db.Notices()) < 2 {
		t.Errorf("notices: %q", db.Notices())
	}
	page, total, err := db.List(t.Context(), memory.Predicate{Missing: memory.Only, Forgotten: memory.Include}, "", 0, 0)
	if err != nil || total != len(all) || page[0].Path != "a.md" {
		t.Fatalf("%d memories are missing, %v", total, err)
	}
	if c, err := db.Context(t.Context(), noon, []string{""}); err != nil || c == nil {
		t.Errorf("current context: %v, %v", c, err)
	}
	if files, err := db.Files(t.Context()); err != nil || len(files) != 0 {
		t.Errorf("files are listed, so that they would not be read again: %v, %v", files, err)
	}
	apply(t, db, noon, file("a.md", all...))
	if got := search(t, db, query("memory"), memory.Predicate{}); len(got) != 10 {
		t.Errorf("%d found", len(got))
	}
	if !one(t, db, id(all[0])).Forgotten {
		t.Error("a forgotten memory is remembered again")
	}
}

func TestApplyOnAFullDiskChangesNothing(t *testing.T) {
	indextest.SQLiteOnly(t)
	db := fresh(t)
	apply(t, db, noon, file("a.md", "before the disk was full"))
	must.Do(t, db.LimitPages(3))
	var many []string
	for i := range 200 {
		many = append(many, strings.Repeat("long text ", 100)+string(rune('a'+i%26))+strings.Repeat("y", i))
	}
	err := db.Apply(t.Context(), noon, file("b.md", many...))
	if !errors.Is(err, memory.ErrUnavailable) || !strings.Contains(err.Error(), "no space") {
		t.Errorf("%v", err)
	}
	if files, err := db.Files(t.Context()); err != nil || len(files) != 1 {
		t.Errorf("%d files, %v", len(files), err)
	}
	must.Do(t, db.LimitPages(0))
	apply(t, db, noon, file("b.md", many...))
	if err := db.QuickCheck(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestCancelledUpdateChangesNothing(t *testing.T) {
	db := fresh(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := db.Update(ctx, noon, func(tx *index.Tx) error {
		cancel()
		return tx.Apply(file("a.md", "text"))
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if files, err := db.Files(t.Context()); err != nil || len(files) != 0 {
		t.Errorf("%d files, %v", len(files), err)
	}
}

// A crash can leave a temporary file beside the database, with text that must not
// stay. The next Open deletes it.
func TestOpenDeletesTemporaryFiles(t *testing.T) {
	indextest.SQLiteOnly(t)
	dir := t.TempDir()
	path, backup := filepath.Join(dir, "tiered.db"), filepath.Join(dir, "tiered.backup.db")
	for _, left := range []string{".tiered.forgotten.memory-123", ".tiered.backup.db.memory-456", ".tiered.backup.db.memory-456-journal"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, left), []byte("half"), 0o600))
	}
	foreign := filepath.Join(dir, ".somebody-else")
	must.Do(t, os.WriteFile(foreign, nil, 0o600))
	closeNow(t, open(t, path, index.Options{Backup: backup}))
	left, err := filepath.Glob(filepath.Join(dir, ".*-*"))
	if err != nil || len(left) != 1 || left[0] != foreign {
		t.Errorf("left over: %q, %v", left, err)
	}
}
