package sqlite_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/sqlite"
)

func TestQuickCheckFindsDamage(t *testing.T) {
	path := dbPath(t)
	db := newDB(t, path)
	for i := range 200 {
		add(t, db, strings.Repeat("word", i))
	}
	if err := db.QuickCheck(t.Context()); err != nil {
		t.Fatalf("an undamaged database: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 3 * 4096; i < 8*4096; i++ {
		b[i] = 0xa5
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	db = open(t, path, sqlite.Options{})
	if err := db.QuickCheck(t.Context()); !sqldb.IsCorrupt(err) {
		t.Errorf("a reader finds %v", err)
	}
	_ = db.WithWriter(t.Context(), func(w sqldb.Writer) error {
		if err := w.QuickCheck(t.Context()); !sqldb.IsCorrupt(err) {
			t.Errorf("the writer finds %v", err)
		}
		return nil
	})
}

func TestCheckpointSucceedsWhileAnotherConnectionReads(t *testing.T) {
	db := newDB(t, dbPath(t))
	add(t, db, "a")
	err := db.Snapshot(t.Context(), func(r sqldb.Reader) error {
		_ = words(t, r)
		add(t, db, "b")
		var err error
		for range 20 { // a slow disk may delay some of them
			if err = checkpointWithin(t, db, 3*time.Second); err == nil {
				return nil
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	add(t, db, "c")
}

// checkpointWithin has a limit that is shorter than the five seconds for which a
// connection waits for a lock.
func checkpointWithin(t *testing.T, db *sqlite.DB, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	return db.Checkpoint(ctx)
}

func TestBackupIsACompleteDatabase(t *testing.T) {
	db := newDB(t, dbPath(t))
	add(t, db, "a", "b")
	path := filepath.Join(t.TempDir(), "backup.db")
	for range 2 { // the second replaces the first
		if err := db.Backup(t.Context(), path, nil); err != nil {
			t.Fatal(err)
		}
	}
	wantWords(t, open(t, path, sqlite.Options{}), "a", "b")
	if err := db.Backup(t.Context(), filepath.Join(t.TempDir(), "missing", "backup.db"), nil); err == nil {
		t.Error("a backup into a missing folder succeeded")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("left over: %q", left)
	}
}

func TestRewriteLeavesNoByteOfDeletedRows(t *testing.T) {
	path := dbPath(t)
	db := newDB(t, path)
	for range 100 {
		add(t, db, "kept", "deleted word")
	}
	if err := db.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(filesWith(t, db, "deleted word")) == 0 {
		t.Fatal("the word is in no file before it is deleted")
	}
	if err := db.Update(t.Context(), func(tx *sqldb.Tx) error { return tx.Run("DELETE FROM words WHERE word <> 'kept'") }); err != nil {
		t.Fatal(err)
	}
	if err := db.Rewrite(t.Context(), "UPDATE words SET word = 'rewritten'"); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"deleted word", "kept"} {
		if names := filesWith(t, db, text); len(names) > 0 {
			t.Errorf("%q is left in %q", text, names)
		}
	}
	if names := filesWith(t, db, "rewritten"); !slices.Equal(names, []string{"words.db"}) {
		t.Errorf("the rows that remain are in %q", names)
	}
}

// filesWith returns the names of the database's files that contain a text.
func filesWith(t *testing.T, db *sqlite.DB, text string) (names []string) {
	t.Helper()
	err := db.RawFiles(func(path string, r io.Reader) error {
		b, err := io.ReadAll(r)
		if bytes.Contains(b, []byte(text)) {
			names = append(names, filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestRawFilesHaveTheBytesOnDisk(t *testing.T) {
	db := newDB(t, dbPath(t))
	add(t, db, "xylophone")
	if got := filesWith(t, db, "xylophone"); !slices.Equal(got, []string{"words.db-wal"}) {
		t.Errorf("before the checkpoint: %q", got)
	}
	if err := db.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := filesWith(t, db, "xylophone"); !slices.Equal(got, []string{"words.db"}) {
		t.Errorf("after the checkpoint: %q", got)
	}
}

func TestSetAsideKeepsEveryCorruptDatabase(t *testing.T) {
	path := dbPath(t)
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for i, want := range []string{".corrupt-20261120-120000", ".corrupt-20261120-120000-2", ".corrupt-20261120-120000-3"} {
		for _, suffix := range []string{"", "-wal"}[:1+i%2] { // a log need not exist
			if err := os.WriteFile(path+suffix, []byte(want+suffix), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		aside, err := sqlite.SetAside(path, noon)
		if err != nil || aside != path+want {
			t.Fatalf("%q, %v; want %s", aside, err, want)
		}
		for _, suffix := range []string{"", "-wal"}[:1+i%2] {
			if b, err := os.ReadFile(aside + suffix); err != nil || string(b) != want+suffix {
				t.Errorf("%q, %v", b, err)
			}
			if _, err := os.Stat(path + suffix); !os.IsNotExist(err) {
				t.Errorf("%s is still there: %v", path+suffix, err)
			}
		}
	}
}

// Nothing can be examined below a file: the search for a free name ends.
func TestSetAsideBelowAFileIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if aside, err := sqlite.SetAside(filepath.Join(file, "tiered.db"), time.Unix(0, 0)); err == nil {
		t.Errorf("set aside as %q", aside)
	}
}
