package postgres_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/index/sqldb"
)

// Rows in a row become one statement. The result is as if each had its own, also where an
// upsert writes a row twice.
func TestManyRowsAreWrittenAsIfOneByOne(t *testing.T) {
	db, _ := prepared(t)
	update(t, db, func(tx *sqldb.Tx) (err error) {
		for i := range 1234 {
			value := []byte(fmt.Sprint("first ", i))
			err = errors.Join(err,
				tx.Exec("INSERT INTO changes(memory_id, revision) VALUES (?, ?)", fmt.Sprint("m", i), i),
				setMeta(fmt.Sprint("a", i%700), string(value))(tx))
			copy(value, "other") // the caller may use it again
		}
		for i := range 1234 {
			err = errors.Join(err, setMeta(fmt.Sprint("b", i/2), fmt.Sprint(i))(tx))
		}
		return err
	})
	for query, want := range map[string]string{
		"SELECT CAST(count(*) AS TEXT) FROM changes":                  "1234",
		"SELECT CAST(count(*) AS TEXT) FROM meta WHERE key LIKE 'a%'": "700",
		"SELECT CAST(count(*) AS TEXT) FROM meta WHERE key LIKE 'b%'": "617",
		"SELECT value FROM meta WHERE key = 'a533'":                   "first 1233",
		"SELECT value FROM meta WHERE key = 'a534'":                   "first 534",
		"SELECT value FROM meta WHERE key = 'b616'":                   "1233",
	} {
		var got string
		if err := db.Read().One(t.Context(), query, nil, &got); err != nil || got != want {
			t.Errorf("%s: %q, want %q; %v", query, got, want, err)
		}
	}
}

// An error of a statement that was not sent yet fails the transaction.
func TestAQueuedStatementFailsTheTransaction(t *testing.T) {
	db, _ := prepared(t)
	err := db.Update(t.Context(), func(tx *sqldb.Tx) error {
		return errors.Join(setMeta("a", "1")(tx), tx.Exec("INSERT INTO changes(memory_id, revision) VALUES (?, ?)", "m", nil), setMeta("a", "2")(tx))
	})
	if err == nil || !strings.Contains(err.Error(), "INSERT INTO changes") {
		t.Errorf("the commit: %v", err)
	}
	if got := meta(t, db.Read(), "a"); got != "" {
		t.Errorf("a failed transaction wrote %q", got)
	}
	stop := errors.New("stop")
	if err := db.Update(t.Context(), func(tx *sqldb.Tx) error { return errors.Join(setMeta("a", "3")(tx), stop) }); !errors.Is(err, stop) {
		t.Error(err)
	}
	update(t, db, setMeta("b", "4"))
	if a, b := meta(t, db.Read(), "a"), meta(t, db.Read(), "b"); a != "" || b != "4" {
		t.Errorf("a is %q, b is %q", a, b)
	}
}
