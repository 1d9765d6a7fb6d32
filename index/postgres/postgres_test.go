package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/index/postgres"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/internal/must"
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
	for _, name := range []string{"schema", "views", "derived"} {
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
	_, err := postgres.Open(t.Context(), second)
	if !errors.Is(err, memory.ErrUnavailable) || !errors.Is(err, sqldb.ErrHeld) || !strings.Contains(err.Error(), fmt.Sprint("pid ", os.Getpid(), " on ")) {
		t.Errorf("a second writer: %v", err)
	}
	o.ReadOnly = true
	reader := open(t, o)
	if reader.IsFree(t.Context()) {
		t.Error("no process writes")
	}
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
	must.Do(t, db.Close())
	for end := time.Now().Add(10 * time.Second); !reader.IsFree(t.Context()); time.Sleep(time.Millisecond) { // the server ends the session a moment later
		if time.Now().After(end) {
			t.Fatal("the writer has ended, and the lock stays")
		}
	}
}

// The server ends every connection, as when it restarts.
func TestLostConnectionsAreReplaced(t *testing.T) {
	db, o := prepared(t)
	update(t, db, setMeta("a", "1"))
	_ = meta(t, db.Read(), "a")
	reconnected := 0
	db.OnReconnect(func() { reconnected++ })
	endConnections(t, o)
	if got := meta(t, db.Read(), "a"); got != "1" {
		t.Errorf("read %q", got)
	}
	update(t, db, setMeta("a", "2"))
	if got := meta(t, db.Read(), "a"); got != "2" {
		t.Errorf("read %q after an update", got)
	}
	if reconnected != 1 {
		t.Errorf("connected again %d times", reconnected)
	}
	if _, err := postgres.Open(t.Context(), o); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("the new connection has no lock: %v", err)
	}
}

// endConnections ends the connections to a schema.
func endConnections(t *testing.T, o postgres.Options) {
	t.Helper()
	admin := o
	admin.URL, admin.ReadOnly = strings.ReplaceAll(o.URL, "user=", "application_name=admin user="), true
	var ended int
	if err := open(t, admin).Read().One(t.Context(), "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = ? OR application_name LIKE ?",
		[]any{"memory " + o.Schema, fmt.Sprintf("memory with pid %d on %%", os.Getpid())}, &ended); err != nil || ended < 2 {
		t.Fatalf("ended %d connections, %v", ended, err)
	}
}

// A writer that lost its connection to another one notices it without a transaction.
func TestAnotherProcessTakesTheLockOfALostConnection(t *testing.T) {
	db, o := prepared(t)
	endConnections(t, o)
	other := open(t, o)
	db.Renew(t.Context())
	if !db.IsLost() {
		t.Error("the lock is not lost")
	}
	for range 2 {
		if err := db.Update(t.Context(), setMeta("a", "1")); !errors.Is(err, sqldb.ErrHeld) {
			t.Errorf("it writes: %v", err)
		}
	}
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	db.Renew(t.Context())
	if db.IsLost() {
		t.Error("the lock is free")
	}
	update(t, db, setMeta("a", "2"))
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
	update(t, db, func(tx *sqldb.Tx) error {
		for i := range 50 { // many, so that statistics have them
			text, hash := fmt.Sprint(secret, " ", i%5), append(make([]byte, 31), byte(i))
			if err := errors.Join(setMeta(text, text)(tx),
				tx.Exec("INSERT INTO memories(id, text, fingerprint, created_at, first_seen, tags) VALUES (?, ?, ?, 1, 1, ?)", fmt.Sprint(i), text, hash, `["`+text+`"]`),
				tx.Exec("INSERT INTO chunks(memory_id, n, text, context, parts, fingerprint) VALUES (?, 0, ?, ?, '', ?)", fmt.Sprint(i), text, text, hash)); err != nil {
				return err
			}
		}
		return tx.Keywords().AddWords(tx, 0, 100)
	})
	if err := db.WithWriter(t.Context(), func(w sqldb.Writer) error { return w.Exec(t.Context(), "ANALYZE") }); err != nil {
		t.Fatal(err)
	}
	update(t, db, func(tx *sqldb.Tx) error {
		ids, err := sqldb.TxColumn[string](tx, "SELECT id FROM memories")
		return errors.Join(err, tx.Keywords().DeleteWords(tx, sqldb.JSONList(ids)), tx.Exec("DELETE FROM chunks"), tx.Exec("DELETE FROM memories"), tx.Exec("DELETE FROM meta"))
	})
	files := func() []byte {
		t.Helper()
		if err := db.WithWriter(t.Context(), func(w sqldb.Writer) error { return w.Exec(t.Context(), "CHECKPOINT") }); err != nil {
			t.Fatal(err)
		}
		all, err := sqldb.Column[[]byte](t.Context(), db.Read(), `SELECT coalesce(pg_read_binary_file(pg_relation_filepath(c.oid)), ''::bytea) FROM pg_class c
			WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND c.relkind IN ('r', 'i', 't') OR c.relname = 'pg_statistic' OR c.oid IN (SELECT reltoastrelid FROM pg_class WHERE relnamespace = to_regnamespace(quote_ident(current_schema())))`)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.ToLower(bytes.Join(all, nil))
	}
	if !bytes.Contains(files(), []byte("zwetschgendatschi")) {
		t.Fatal("the files have no deleted rows before")
	}
	if err := db.Rewrite(t.Context()); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(files(), []byte("zwetschgendatschi")) {
		t.Error("the files have the deleted text")
	}
}

// A role that is no owner reads what everybody may read, and what belongs to a user of its name.
func TestOtherRolesReadTheirRowsOnly(t *testing.T) {
	db, o := prepared(t)
	update(t, db, func(tx *sqldb.Tx) error {
		for _, m := range []struct {
			id, user           string
			forgotten, private bool
		}{{"all", "", false, false}, {"own", "lena's", false, false}, {"other", "ben", false, false}, {"gone", "", true, false}, {"secret", "lena's", false, true}} {
			hash := make([]byte, 32)
			if err := errors.Join(tx.Exec("INSERT INTO memories(id, text, fingerprint, user, do_not_inject, private, created_at, first_seen) VALUES (?, 'text', ?, ?, ?, ?, 1, 1)",
				m.id, hash, m.user, m.forgotten, m.private),
				tx.Exec(`INSERT INTO chunks(memory_id, n, text, context, parts, fingerprint) VALUES (?, 0, 'text', '', '', ?)`, m.id, hash),
				tx.Exec("INSERT INTO current_context(user, text, set_at, expires_at) VALUES (?, ?, 1, 1) ON CONFLICT DO NOTHING", m.user, m.id)); err != nil {
				return err
			}
		}
		return errors.Join(setMeta("forget_key", "secret")(tx), tx.Keywords().AddWords(tx, 0, 100))
	})
	role, schema := `"lena's"`, `"`+o.Schema+`"`
	err := db.WithWriter(t.Context(), func(w sqldb.Writer) error {
		return w.Exec(t.Context(), "CREATE ROLE "+role, "GRANT USAGE ON SCHEMA "+schema+" TO "+role, "GRANT SELECT ON ALL TABLES IN SCHEMA "+schema+" TO "+role)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := db.WithWriter(context.Background(), func(w sqldb.Writer) error {
			return w.Exec(context.Background(), "RESET ROLE", "DROP OWNED BY "+role, "DROP ROLE "+role)
		})
		if err != nil {
			t.Error(err)
		}
	})
	err = db.WithWriter(t.Context(), func(w sqldb.Writer) error {
		if err := w.Exec(t.Context(), "SET ROLE "+role); err != nil {
			return err
		}
		for query, want := range map[string]string{
			"SELECT group_concat(id) FROM (SELECT id FROM memories ORDER BY id)":                    "all,own",
			"SELECT group_concat(id) FROM (SELECT id FROM remembered ORDER BY id)":                  "all,own",
			"SELECT group_concat(memory_id) FROM (SELECT memory_id FROM chunks ORDER BY memory_id)": "all,own",
			"SELECT group_concat(text) FROM (SELECT text FROM current_context ORDER BY text)":       "all,own",
			"SELECT coalesce(max(value), 'none') FROM meta":                                         "none",
			"SELECT coalesce(max(term), 'none') FROM memories_fts_words":                            "none",
			"SELECT CAST(count(*) AS TEXT) FROM memories_fts":                                       "0",
			"SELECT CAST(count(*) AS TEXT) FROM embeddings":                                         "0",
		} {
			var got string
			if err := w.One(t.Context(), query, nil, &got); err != nil || got != want {
				t.Errorf("%s: %q, %v", query, got, err)
			}
		}
		if err := w.Exec(t.Context(), "UPDATE memories SET private = false"); err == nil {
			t.Error("the role may write")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
