// Package repair finds damage in a database and saves what can still be read. It checks
// a copy before that becomes a backup, and copies the durable rows of damaged databases
// and backups into a new one. It opens no database that is served.
package repair

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/sqlite"
	"github.com/memory-tiered/memory/index/vectors"
)

// Fingerprint returns the fingerprint of a memory's text. With nil, texts are not
// checked.
type Fingerprint func(text string) memory.Fingerprint

// Problem is damage that a check found.
type Problem struct {
	Check string // one of the names below
	Err   error  // reports damage, as [sqldb.IsCorrupt] tells
}

// The names of the checks.
const (
	checkPages    = "database" // the structure of every page
	checkTexts    = "rows"     // texts and vectors against their fingerprints and checksums
	checkKeywords = "fts"      // the keyword index against the texts
)

// CheckCopy checks a copy of a database for damage, and returns the first that it finds.
// [sqldb.IsCorrupt] is true for an error that reports damage. It takes as long as
// reading the database twice, but no other reader waits for the copy. functions are the
// SQL functions that the database needs.
func CheckCopy(ctx context.Context, path string, functions []sqldb.Function, fingerprint Fingerprint) error {
	problems, err := Diagnose(ctx, path, functions, fingerprint)
	if len(problems) > 0 {
		err = errors.Join(problems[0].Err, err)
	}
	return err
}

// Diagnose checks a copy of a database as [CheckCopy] does, and returns what each check
// finds. After damaged pages it checks nothing else.
func Diagnose(ctx context.Context, path string, functions []sqldb.Function, fingerprint Fingerprint) (problems []Problem, err error) {
	db, err := sqlite.Open(ctx, path, sqlite.Options{Readers: 1, Functions: functions})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, check := range []struct {
		name string
		run  func() error
	}{
		{checkPages, func() error { return db.FullCheck(ctx) }},
		{checkTexts, func() error { return checkRows(ctx, db, fingerprint) }},
		{checkKeywords, func() error {
			return db.WithWriter(ctx, func(w sqldb.Writer) error {
				// The rank 1 compares the keyword index with the texts of the chunks.
				return sqldb.DamagedSchema(w.Exec(ctx, "INSERT INTO memories_fts(memories_fts, rank) VALUES ('integrity-check', 1)"))
			})
		}},
	} {
		err := check.run()
		switch {
		case err != nil && !sqldb.IsCorrupt(err):
			return problems, err
		case err != nil:
			problems = append(problems, Problem{check.name, err})
		}
		if len(problems) > 0 && check.name == checkPages {
			return problems, nil
		}
	}
	return problems, nil
}

// checkedTables are the tables whose rows checkRow can check, with the columns that
// it needs.
var checkedTables = map[string][]string{
	"memories":   {"id", "text", "fingerprint"},
	"embeddings": {"vector", "sum"},
}

func checkRows(ctx context.Context, db *sqlite.DB, fingerprint Fingerprint) error {
	for _, table := range slices.Sorted(maps.Keys(checkedTables)) {
		columns := checkedTables[table]
		reader, err := db.OpenRawReader(ctx)
		if err != nil {
			return err
		}
		err = reader.Each(ctx, "SELECT "+strings.Join(columns, ", ")+" FROM "+table, nil, func(values []driver.Value) error {
			return checkRow(table, columns, values, fingerprint)
		})
		if err = errors.Join(err, reader.Close()); err != nil {
			return err
		}
	}
	return nil
}

// checkRow checks a row of memories or embeddings: a text has its fingerprint, and a
// vector has its checksum. A value of columns may be a []byte or a string.
func checkRow[T any](table string, columns []string, values []T, fingerprint Fingerprint) error {
	value := func(column string) []byte {
		i := slices.Index(columns, column)
		if i < 0 {
			return nil
		}
		switch v := any(values[i]).(type) {
		case []byte:
			return v
		case string:
			return []byte(v)
		}
		return nil
	}
	switch table {
	case "memories":
		if fingerprint == nil {
			return nil
		}
		if f := fingerprint(string(value("text"))); !bytes.Equal(f[:], value("fingerprint")) {
			return fmt.Errorf("%w: the text of memory %.36q differs from its fingerprint", sqldb.ErrDamaged, value("id"))
		}
	case "embeddings":
		if i := slices.Index(columns, "sum"); i < 0 || any(values[i]) != any(vectors.Sum(value("vector"))) {
			return fmt.Errorf("%w: a vector differs from its checksum", sqldb.ErrDamaged)
		}
	}
	return nil
}
