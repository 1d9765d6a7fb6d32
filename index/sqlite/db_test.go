package sqlite_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/sqlite"
)

func open(t testing.TB, path string, o sqlite.Options) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// newDB returns a database in WAL mode with an empty table words(word).
func newDB(t testing.TB, path string) *sqlite.DB {
	t.Helper()
	db := open(t, path, sqlite.Options{})
	err := db.WithWriter(t.Context(), func(w sqldb.Writer) error {
		return errors.Join(w.Prepare(t.Context()), w.Exec(t.Context(), "CREATE TABLE words(word TEXT)"))
	})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func dbPath(t testing.TB) string { return filepath.Join(t.TempDir(), "words.db") }

func add(t testing.TB, db *sqlite.DB, words ...string) {
	t.Helper()
	if err := db.Update(t.Context(), func(tx *sqldb.Tx) error { return insert(tx, words...) }); err != nil {
		t.Fatal(err)
	}
}

func insert(tx *sqldb.Tx, words ...string) error {
	for _, w := range words {
		if err := tx.Exec("INSERT INTO words(word) VALUES (?)", w); err != nil {
			return err
		}
	}
	return nil
}

func words(t testing.TB, r sqldb.Reader) (found []string) {
	t.Helper()
	err := r.Each(t.Context(), "SELECT word FROM words ORDER BY word", nil, func(scan func(...any) error) error {
		var w string
		err := scan(&w)
		found = append(found, w)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func wantWords(t testing.TB, db *sqlite.DB, want ...string) {
	t.Helper()
	if got := words(t, db.Read()); !slices.Equal(got, want) {
		t.Errorf("the table has %q, want %q", got, want)
	}
}

func TestOnlyTheOwnerMayReadTheFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no file modes")
	}
	path := filepath.Join(t.TempDir(), "a", "state", "words.db")
	db := newDB(t, path)
	add(t, db, "secret")
	backup := dbPath(t)
	if err := db.Backup(t.Context(), backup, nil); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{filepath.Dir(path): 0o700, path: 0o600, path + "-wal": 0o600,
		path + "-shm": 0o600, backup: 0o600} {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("mode of %s: %v, %v; want %v", filepath.Base(name), info.Mode(), err, want)
		}
	}
}

func TestAnyPathIsAccepted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "who? me & you #1 100% 日本", "words.db")
	add(t, newDB(t, path), "word")
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestOpenDoesNotWriteToAnExistingFile(t *testing.T) {
	path := dbPath(t)
	text := []byte(strings.Repeat("this is no database\n", 1000))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), path, sqlite.Options{}); !sqldb.IsCorrupt(err) {
		t.Errorf("Open of a text file: %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(text) {
		t.Errorf("the file changed, %v", err)
	}
}

func TestHeaderIdentifiesTheDatabase(t *testing.T) {
	path := dbPath(t)
	db := newDB(t, path)
	err := db.Update(t.Context(), func(tx *sqldb.Tx) error {
		return tx.Run("PRAGMA application_id = 77", "PRAGMA user_version = 3")
	})
	if err != nil {
		t.Fatal(err)
	}
	want := sqldb.Header{ApplicationID: 77, UserVersion: 3, Objects: 1}
	for name, db := range map[string]*sqlite.DB{"writable": db, "read-only": open(t, path, sqlite.Options{ReadOnly: true})} {
		if h, err := db.Header(t.Context()); err != nil || h != want {
			t.Errorf("%s: %+v, %v; want %+v", name, h, err, want)
		}
	}
}

func TestReadOnlyReadsBesideTheOwnerAndNeverWrites(t *testing.T) {
	path := dbPath(t)
	owner := newDB(t, path)
	add(t, owner, "committed")
	reader := open(t, path, sqlite.Options{ReadOnly: true})
	err := owner.Update(t.Context(), func(tx *sqldb.Tx) error {
		if err := insert(tx, "pending"); err != nil {
			return err
		}
		wantWords(t, reader, "committed")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantWords(t, reader, "committed", "pending")
	for name, err := range map[string]error{
		"update":     reader.Update(t.Context(), func(*sqldb.Tx) error { return nil }),
		"writer":     reader.WithWriter(t.Context(), func(sqldb.Writer) error { return nil }),
		"rewrite":    reader.Rewrite(t.Context()),
		"checkpoint": reader.Checkpoint(t.Context()),
	} {
		if want := name != "checkpoint"; errors.Is(err, memory.ErrUnavailable) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadOnlyReadsFromAFolderThatCannotBeWritten(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("file modes do not limit root, nor anyone on Windows")
	}
	path := dbPath(t)
	db := newDB(t, path)
	add(t, db, "word")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(path), 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Dir(path), 0o700) })
	wantWords(t, open(t, path, sqlite.Options{ReadOnly: true}), "word")
}

func TestReadersCannotWrite(t *testing.T) {
	db := newDB(t, dbPath(t))
	var n int
	if err := db.Read().One(t.Context(), "INSERT INTO words(word) VALUES ('x') RETURNING 1", nil, &n); err == nil {
		t.Error("a reader inserted a row")
	}
	wantWords(t, db)
}

func TestFunctionsAreKnownToEveryDatabase(t *testing.T) {
	twice := sqldb.Function{Name: "test_twice", Args: 1, Call: func(args []driver.Value) (driver.Value, error) {
		return args[0].(string) + args[0].(string), nil
	}}
	for range 2 { // the second time, the driver knows it already
		var got string
		db := open(t, dbPath(t), sqlite.Options{Functions: []sqldb.Function{twice}})
		if err := db.Read().One(t.Context(), "SELECT test_twice('ab')", nil, &got); err != nil || got != "abab" {
			t.Errorf("%q, %v", got, err)
		}
	}
}

func TestSnapshotSeesOneMoment(t *testing.T) {
	db := newDB(t, dbPath(t))
	add(t, db, "before")
	err := db.Snapshot(t.Context(), func(r sqldb.Reader) error {
		first := words(t, r)
		add(t, db, "meanwhile")
		if again := words(t, r); !slices.Equal(first, again) {
			t.Errorf("first %q, then %q", first, again)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantWords(t, db, "before", "meanwhile")
}

// A query that waits for a connection of the readers blocks none of those that have one.
func TestSnapshotGoesOnWhileAnotherQueryWaits(t *testing.T) {
	path := dbPath(t)
	add(t, newDB(t, path), "a")
	db := open(t, path, sqlite.Options{Readers: 1})
	var waiting sync.WaitGroup
	within := make(chan []string)
	go func() {
		err := db.Snapshot(t.Context(), func(r sqldb.Reader) error {
			waiting.Go(func() { wantWords(t, db, "a") })
			time.Sleep(50 * time.Millisecond) // until it waits
			within <- words(t, r)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}()
	select {
	case got := <-within:
		if !slices.Equal(got, []string{"a"}) {
			t.Errorf("got %q", got)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the snapshot waits for the query")
	}
	waiting.Wait()
}

func TestRawReaderSeesOneMoment(t *testing.T) {
	db := newDB(t, dbPath(t))
	add(t, db, "a", "b")
	r, err := db.OpenRawReader(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	read := func() (found []string) {
		t.Helper()
		err := r.Each(t.Context(), "SELECT word, NULL FROM words WHERE word > ? ORDER BY word",
			[]driver.NamedValue{{Ordinal: 1, Value: "a"}}, func(row []driver.Value) error {
				if row[1] != nil {
					t.Errorf("NULL is %v", row[1])
				}
				found = append(found, row[0].(string))
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	first := read()
	add(t, db, "c")
	if again := read(); !slices.Equal(first, []string{"b"}) || !slices.Equal(again, first) {
		t.Errorf("first %q, then %q", first, again)
	}
	if err := r.Each(t.Context(), "SELECT word FROM words", nil, func([]driver.Value) error { return context.Canceled }); !errors.Is(err, context.Canceled) {
		t.Errorf("an error of the callback becomes %v", err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestOneReportsThatThereIsNoRow(t *testing.T) {
	db := newDB(t, dbPath(t))
	var w string
	if err := db.Read().One(t.Context(), "SELECT word FROM words", nil, &w); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("Reader: %v", err)
	}
	_ = db.Update(t.Context(), func(tx *sqldb.Tx) error {
		if err := tx.One("SELECT word FROM words", nil, &w); !errors.Is(err, sql.ErrNoRows) {
			t.Errorf("Tx: %v", err)
		}
		return nil
	})
	_ = db.WithWriter(t.Context(), func(c sqldb.Writer) error {
		if err := c.One(t.Context(), "SELECT word FROM words", nil, &w); !errors.Is(err, sql.ErrNoRows) {
			t.Errorf("Writer: %v", err)
		}
		return nil
	})
}

// Readers keep a limited number of prepared queries, and prepare the others each
// time.
func TestMoreQueriesThanStatementsAreKept(t *testing.T) {
	db := newDB(t, dbPath(t))
	for i := range 600 {
		var got int
		query := "SELECT " + strings.Repeat("1+", i%300) + "1"
		if err := db.Read().One(t.Context(), query, nil, &got); err != nil || got != i%300+1 {
			t.Fatalf("query %d: %d, %v", i, got, err)
		}
	}
}

func TestCacheIsReadAgainAfterACommit(t *testing.T) {
	path := dbPath(t)
	db := newDB(t, path)
	var cache sqldb.Cache[int]
	reads := 0
	get := func(db *sqlite.DB) {
		t.Helper()
		if _, err := cache.Get(db.DB, func() (int, error) { reads++; return reads, nil }); err != nil {
			t.Fatal(err)
		}
	}
	get(db)
	get(db)
	if reads != 1 {
		t.Errorf("%d reads without a commit between them", reads)
	}
	add(t, db, "word")
	get(db)
	if reads != 2 {
		t.Errorf("%d reads after a commit", reads)
	}
	if _, err := cache.Get(db.DB, func() (int, error) { return 0, nil }); err != nil || reads != 2 {
		t.Errorf("%d reads, %v", reads, err)
	}
	add(t, db, "another")
	broken := errors.New("broken")
	if _, err := cache.Get(db.DB, func() (int, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("the error of read became %v", err)
	}
	get(db)
	if reads != 3 {
		t.Errorf("%d reads: an error was kept", reads)
	}
	reader := open(t, path, sqlite.Options{ReadOnly: true})
	get(reader)
	get(reader)
	if reads != 5 {
		t.Errorf("%d reads: another process may have written meanwhile", reads)
	}
}

func TestSourceReadsTheLogOfACrashedDatabase(t *testing.T) {
	path := dbPath(t)
	add(t, newDB(t, path), "only in the log")
	crashed := dbPath(t)
	for _, suffix := range []string{"", "-wal"} { // as a crash would leave them
		b, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(crashed+suffix, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	source, err := sqlite.OpenSource(crashed)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = source.Close() }()
	var word string
	if err := source.QueryRowContext(t.Context(), "SELECT word FROM words").Scan(&word); err != nil || word != "only in the log" {
		t.Errorf("%q, %v", word, err)
	}
}

func TestReadersAnswerAfterFreeMemory(t *testing.T) {
	db := newDB(t, dbPath(t))
	add(t, db, "word")
	wantWords(t, db, "word")
	db.FreeMemory()
	wantWords(t, db, "word")
}
