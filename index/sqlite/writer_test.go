package sqlite_test

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/sqlite"
)

func TestUpdateCommitsAllOrNothing(t *testing.T) {
	db := newDB(t, dbPath(t))
	refused := errors.New("refused")
	err := db.Update(t.Context(), func(tx *sqldb.Tx) error {
		if err := insert(tx, "a", "b"); err != nil {
			return err
		}
		return refused
	})
	if !errors.Is(err, refused) {
		t.Errorf("the error became %v", err)
	}
	wantWords(t, db)
	add(t, db, "c")
	wantWords(t, db, "c")
}

func TestUpdateChangesNothingIfItsContextEnds(t *testing.T) {
	db := newDB(t, dbPath(t))
	ctx, cancel := context.WithCancel(t.Context())
	err := db.Update(ctx, func(tx *sqldb.Tx) error {
		cancel()
		return insert(tx, "a") // a statement that follows still runs
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	wantWords(t, db)
}

func TestUpdateReleasesTheConnectionAfterAPanic(t *testing.T) {
	db := newDB(t, dbPath(t))
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_ = db.Update(t.Context(), func(tx *sqldb.Tx) error {
			_ = insert(tx, "a")
			panic("a bug")
		})
	}()
	add(t, db, "b")
	wantWords(t, db, "b")
}

func TestUpdatesWaitForEachOtherUntilTheirContextEnds(t *testing.T) {
	db := newDB(t, dbPath(t))
	err := db.Update(t.Context(), func(tx *sqldb.Tx) error {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		for name, err := range map[string]error{
			"update":     db.Update(ctx, func(*sqldb.Tx) error { return nil }),
			"writer":     db.WithWriter(ctx, func(sqldb.Writer) error { return nil }),
			"checkpoint": db.Checkpoint(ctx),
			"rewrite":    db.Rewrite(ctx),
		} {
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", name, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAfterCommitRunsOnlyAfterACommit(t *testing.T) {
	db := newDB(t, dbPath(t))
	for _, tt := range []struct {
		name  string
		err   error
		calls int
	}{{"committed", nil, 1}, {"rolled back", errors.New("refused"), 0}} {
		calls, before := 0, db.Commits()
		err := db.Update(t.Context(), func(tx *sqldb.Tx) error {
			tx.AfterCommit(func() {
				calls++
				if words(t, db.Read())[0] != "a" || db.Commits() == before {
					t.Error("readers do not see the commit yet")
				}
			})
			return errors.Join(insert(tx, "a"), tt.err)
		})
		if calls != tt.calls || !errors.Is(err, tt.err) {
			t.Errorf("%s: %d calls, want %d; %v", tt.name, calls, tt.calls, err)
		}
		if made := db.Commits() - before; made != int64(tt.calls) {
			t.Errorf("%s: counted as %d commits", tt.name, made)
		}
	}
}

func TestCountReturnsTheChangedRows(t *testing.T) {
	db := newDB(t, dbPath(t))
	add(t, db, "a", "b", "c")
	err := db.Update(t.Context(), func(tx *sqldb.Tx) error {
		n, err := tx.Count("DELETE FROM words WHERE word > ?", "a")
		if n != 2 {
			t.Errorf("%d rows", n)
		}
		var left []string
		return errors.Join(err, tx.Each("SELECT word FROM words", nil, func(scan func(...any) error) error {
			var w string
			err := scan(&w)
			left = append(left, w)
			if w != "a" {
				t.Errorf("left: %q", left)
			}
			return err
		}))
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAFullDatabaseIsUnavailableAndUnchanged(t *testing.T) {
	db := newDB(t, dbPath(t))
	add(t, db, "a")
	err := db.WithWriter(t.Context(), func(w sqldb.Writer) error {
		var limit int
		return w.One(t.Context(), "PRAGMA max_page_count = 3", nil, &limit)
	})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(t.Context(), func(tx *sqldb.Tx) error { return insert(tx, strings.Repeat("long", 10_000)) })
	if !errors.Is(err, memory.ErrUnavailable) || !errors.Is(err, syscall.ENOSPC) || !strings.HasSuffix(err.Error(), ": no space left on the disk") {
		t.Errorf("%v", err)
	}
	wantWords(t, db, "a")
}

func TestASecondWriterIsUnavailable(t *testing.T) {
	path := dbPath(t)
	db := newDB(t, path)
	other, err := sqlite.OpenSource(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	if _, err := other.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	failAtOnce(t, db)
	err = db.Update(t.Context(), func(tx *sqldb.Tx) error { return nil })
	if !errors.Is(err, memory.ErrUnavailable) || !strings.Contains(err.Error(), "another process is writing") {
		t.Errorf("%v", err)
	}
}

// failAtOnce makes the writer fail where it would wait for a lock for 5 seconds.
func failAtOnce(t *testing.T, db *sqlite.DB) {
	t.Helper()
	err := db.WithWriter(t.Context(), func(w sqldb.Writer) error { return w.Exec(t.Context(), "PRAGMA busy_timeout = 1") })
	if err != nil {
		t.Fatal(err)
	}
}

// A loss of power keeps what SQLite has waited for. It waits at the commit only with the
// level 2 (FULL).
func TestOnlyADurableUpdateWaitsForTheDisk(t *testing.T) {
	db := newDB(t, dbPath(t))
	level := func(update func(context.Context, func(*sqldb.Tx) error) error) (level int) {
		if err := update(t.Context(), func(tx *sqldb.Tx) error { return tx.One("PRAGMA synchronous", nil, &level) }); err != nil {
			t.Fatal(err)
		}
		return level
	}
	for range 2 {
		if usual, durable := level(db.Update), level(db.UpdateDurably); usual != 1 || durable != 2 {
			t.Errorf("levels %d and %d, want 1 and 2", usual, durable)
		}
	}
	refused := errors.New("refused")
	if err := db.UpdateDurably(t.Context(), func(*sqldb.Tx) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("the error became %v", err)
	}
	if got := level(db.Update); got != 1 {
		t.Errorf("after a failure, the level is %d", got)
	}
}
