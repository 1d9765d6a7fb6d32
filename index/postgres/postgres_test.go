package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/index/postgres"
	"github.com/memory-tiered/memory/index/sqldb"
)

func open(t *testing.T, o postgres.Options) *sqldb.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), o)
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

// prepared returns a database with the tables of the program, and its options.
func prepared(t *testing.T) (*sqldb.DB, postgres.Options) {
	t.Helper()
	o := indextest.Postgres(t)
	db := open(t, o)
	update(t, db, func(tx *sqldb.Tx) error { return nil })
	if err := db.WithWriter(t.Context(), func(w sqldb.Writer) error { return w.Prepare(t.Context()) }); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"schema", "derived", "views"} {
		script, err := os.ReadFile("../schema/" + name + ".sql")
		if err != nil {
			t.Fatal(err)
		}
		update(t, db, func(tx *sqldb.Tx) error { return tx.Run(string(script)) })
	}
	return db, o
}

func update(t *testing.T, db *sqldb.DB, fn func(*sqldb.Tx) error) {
	t.Helper()
	if err := db.Update(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

func setMeta(key, value string) func(*sqldb.Tx) error {
	return func(tx *sqldb.Tx) error {
		return tx.Exec("INSERT INTO meta(key, value) VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value", key, value)
	}
}

func meta(t *testing.T, r sqldb.Reader, key string) (value string) {
	t.Helper()
	if err := r.One(t.Context(), "SELECT coalesce(max(value), '') FROM meta WHERE key = ?", []any{key}, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestHeader(t *testing.T) {
	o := indextest.Postgres(t)
	db := open(t, o)
	if h, err := db.Header(t.Context()); err != nil || h != (sqldb.Header{}) {
		t.Fatalf("a new schema has the header %+v, %v", h, err)
	}
	update(t, db, func(tx *sqldb.Tx) error {
		return errors.Join(tx.Run("CREATE TABLE a (b TEXT) STRICT"), tx.SetHeader(7, 108))
	})
	h, err := db.Header(t.Context())
	if err != nil || h.ApplicationID != 7 || h.UserVersion != 108 || h.Objects == 0 {
		t.Fatalf("header %+v, %v", h, err)
	}
}

func TestUpdatesAndSnapshots(t *testing.T) {
	db, _ := prepared(t)
	update(t, db, setMeta("a", "1"))
	failed := errors.New("undone")
	err := db.Update(t.Context(), func(tx *sqldb.Tx) error { return errors.Join(setMeta("a", "2")(tx), failed) })
	if !errors.Is(err, failed) || meta(t, db.Read(), "a") != "1" {
		t.Fatalf("after a failed update: %q, %v", meta(t, db.Read(), "a"), err)
	}
	err = db.Snapshot(t.Context(), func(r sqldb.Reader) error {
		before := meta(t, r, "a")
		if err := db.UpdateDurably(t.Context(), setMeta("a", "3")); err != nil {
			return err
		}
		if after := meta(t, r, "a"); after != before {
			t.Errorf("a snapshot sees %q after %q", after, before)
		}
		return nil
	})
	if err != nil || meta(t, db.Read(), "a") != "3" {
		t.Fatalf("after a snapshot: %q, %v", meta(t, db.Read(), "a"), err)
	}
}

func TestOneProcessWritesAndOthersRead(t *testing.T) {
	db, o := prepared(t)
	update(t, db, setMeta("a", "1"))
	second := o
	second.URL += " lock_timeout=50ms"
	if _, err := postgres.Open(t.Context(), second); !errors.Is(err, memory.ErrUnavailable) || !strings.Contains(err.Error(), "another process") {
		t.Errorf("a second writer: %v", err)
	}
	o.ReadOnly = true
	reader := open(t, o)
	if got := meta(t, reader.Read(), "a"); got != "1" {
		t.Errorf("a reader reads %q", got)
	}
	update(t, db, setMeta("a", "2"))
	if got := meta(t, reader.Read(), "a"); got != "2" {
		t.Errorf("a reader reads %q after a write", got)
	}
	if err := reader.Update(t.Context(), setMeta("a", "3")); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("a reader writes: %v", err)
	}
}

// The server ends every connection, as when it restarts.
func TestLostConnectionsAreReplaced(t *testing.T) {
	db, o := prepared(t)
	update(t, db, setMeta("a", "1"))
	_ = meta(t, db.Read(), "a")
	admin := o
	admin.URL, admin.ReadOnly = strings.ReplaceAll(o.URL, "user=", "application_name=admin user="), true
	var ended int
	if err := open(t, admin).Read().One(t.Context(), "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = ?",
		[]any{"memory " + o.Schema}, &ended); err != nil || ended < 2 {
		t.Fatalf("ended %d connections, %v", ended, err)
	}
	time.Sleep(1100 * time.Millisecond) // the driver checks a connection that was idle for a second
	if got := meta(t, db.Read(), "a"); got != "1" {
		t.Errorf("read %q", got)
	}
	update(t, db, setMeta("a", "2"))
	if got := meta(t, db.Read(), "a"); got != "2" {
		t.Errorf("read %q after an update", got)
	}
	o.URL += " lock_timeout=50ms"
	if _, err := postgres.Open(t.Context(), o); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("the new connection has no lock: %v", err)
	}
}

func TestErrorsOfAServerThatIsAway(t *testing.T) {
	for url, hint := range map[string]string{"host=/nowhere user=a dbname=b": "cannot be reached", "postgres://[": "is no URL"} {
		_, err := postgres.Open(context.Background(), postgres.Options{URL: url, Schema: "s"})
		if err == nil || !strings.Contains(err.Error(), hint) {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// After a rewrite, the files of the tables have no byte of a deleted text.
func TestRewriteLeavesNothingOfDeletedRows(t *testing.T) {
	db, _ := prepared(t)
	const secret = "Zwetschgendatschi"
	update(t, db, setMeta("a", secret))
	update(t, db, func(tx *sqldb.Tx) error { return tx.Exec("DELETE FROM meta") })
	files := func() []byte {
		t.Helper()
		if err := db.WithWriter(t.Context(), func(w sqldb.Writer) error { return w.Exec(t.Context(), "CHECKPOINT") }); err != nil {
			t.Fatal(err)
		}
		all, err := sqldb.Column[[]byte](t.Context(), db.Read(), `SELECT coalesce(pg_read_binary_file(pg_relation_filepath(c.oid)), ''::bytea) FROM pg_class c
			WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND c.relkind IN ('r', 'i') OR c.relname = 'pg_statistic'`)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Join(all, nil)
	}
	if !bytes.Contains(files(), []byte(secret)) {
		t.Fatal("the files have no deleted rows before")
	}
	if err := db.Rewrite(t.Context()); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(files(), []byte(secret)) {
		t.Error("the files have the deleted text")
	}
}
