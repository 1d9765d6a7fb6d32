package repair

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/sqlite"
)

// durableTables are the tables whose loss a person would notice, and places, which
// become last places. Files are read again, and changes start again. order sorts a
// table by the tree that holds its rows.
var durableTables = []struct{ name, order string }{
	{"memories", "rowid"}, {"past_fingerprints", "memory_id"}, {"past_places", "memory_id"}, {"places", "memory_id"}, {"forgotten", "mark"}, {"machine_marks", "mark"}, {"former_texts", "memory_id"}, {"uses", "memory_id"},
	{"current_context", "rowid"}, {"memory_audit", "rowid"}, {"intents", "rowid"}, {"receipts", "rowid"}, {"captures", "rowid"}, {"reviewed", "memory_id"}, {"feedback", "batch"}, {"edits", "rowid"}, {"embeddings", "rowid"}, {"meta", "key"},
}

// Source is a database to copy durable rows from.
type Source struct {
	Name, Path string // the name is for people
	IsBackup   bool
}

// Backup returns the backup at a path, if there is one.
func Backup(path string) []Source {
	if _, err := os.Stat(path); path == "" || err != nil {
		return nil
	}
	return []Source{{"the last backup", path, true}}
}

// SourcesOfMissing returns what a missing database at path is rebuilt from. It includes
// a database that was set aside later than the backup: a crash during a rebuild leaves
// that.
func SourcesOfMissing(path, backup string) []Source {
	var since time.Time
	if info, err := os.Stat(backup); err == nil {
		since = info.ModTime()
	}
	if aside := sqlite.LastSetAside(path, since); aside != "" {
		return append([]Source{{"the database that was set aside as " + aside, aside, false}}, Backup(backup)...)
	}
	return Backup(backup)
}

// salvager copies the durable tables of several sources into a new database.
type salvager struct {
	sql         *sqldb.Tx
	fingerprint Fingerprint
	hasMarks    bool
	complete    map[string]bool // the tables that need no other source
	metaKeys    map[string]bool // the keys of meta that have been copied
}

// Salvage copies the durable tables from the sources into a new database, as far as
// they can be read. A later source adds the rows that an earlier one lost. Every copied
// memory is missing at now, until its file has been read again. hasMarks means that the
// new database already has the marks of forgotten texts, which are newer than those of
// a backup. hasAllMarks reports whether no such mark is lost.
func Salvage(ctx context.Context, tx *sqldb.Tx, now time.Time, sources []Source, fingerprint Fingerprint, hasMarks bool) (notices []string, hasAllMarks bool, err error) {
	s := salvager{tx, fingerprint, hasMarks, map[string]bool{}, map[string]bool{}}
	hasAllMarks = hasMarks
	for i, from := range sources {
		saved, lost := s.copyFrom(ctx, from, i == 0)
		notices = append(notices, salvageNotice(from.Name, saved, lost))
		hasAllMarks = hasAllMarks || !from.IsBackup && s.complete["forgotten"]
		if len(lost) == 0 {
			break
		}
	}
	return notices, hasAllMarks, s.markAllMissing(now)
}

// markAllMissing turns places into last places, and deletes the copied meta values
// that describe the old database.
func (s *salvager) markAllMissing(now time.Time) error {
	return s.sql.Run(
		`UPDATE memories SET (last_path, last_ordinal, last_line_start, last_line_end, last_heading, last_block_id) =
		 (SELECT path, ordinal, line_start, line_end, heading, block_id FROM places p WHERE p.memory_id = memories.id)
		 WHERE id IN (SELECT memory_id FROM places)`,
		fmt.Sprintf("UPDATE memories SET missing_since = %d WHERE missing_since IS NULL", max(1, sqldb.ToMillis(now))),
		"UPDATE memories SET chunks_hash = NULL",
		"DELETE FROM places",
		"DELETE FROM meta WHERE key IN ('model', 'dim', 'kept_model', 'kept_dim', 'clean', 'last_index')",
	)
}

// copyFrom copies the tables that are not complete yet, row by row, so that a damaged
// page loses few rows. lost lists the tables that could not be read completely.
func (s *salvager) copyFrom(ctx context.Context, from Source, first bool) (saved int, lost []string) {
	db, openErr := sqlite.OpenSource(from.Path)
	if openErr == nil {
		defer func() { _ = db.Close() }() // everything has been read
	}
	for _, table := range durableTables {
		// The marks of forgotten texts are newer than those of the backup.
		if s.complete[table.name] || table.name == "forgotten" && from.IsBackup && s.hasMarks {
			continue
		}
		n, err := 0, openErr
		if openErr == nil {
			if n, err = s.copyTable(ctx, db, from, table.name, "", first); err != nil {
				// The rows behind a damaged page are read from the other end.
				more, _ := s.copyTable(ctx, db, from, table.name, " ORDER BY "+table.order+" DESC", false)
				n += more
			}
		}
		saved += n
		if s.complete[table.name] = err == nil; err != nil {
			lost = append(lost, table.name)
		}
	}
	return saved, lost
}

// copyTable copies the rows of one table, and counts the memories. It skips damaged
// rows and returns the error of one. In the first source, a row that the new database
// refuses is damaged, too.
func (s *salvager) copyTable(ctx context.Context, db *sql.DB, from Source, table, order string, first bool) (saved int, err error) {
	rows, err := db.QueryContext(ctx, "SELECT * FROM "+table+order)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	sourceColumns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	columns, positions, err := s.sharedColumns(table, sourceColumns)
	if err != nil {
		return 0, err
	}
	insert := fmt.Sprintf("INSERT OR %s INTO %s(%s) VALUES (%s)", conflictRule(table), table, strings.Join(columns, ", "),
		strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", "))
	var damaged error
	for rows.Next() {
		values, err := scanRow(rows, len(sourceColumns))
		if err != nil {
			return saved, err
		}
		if err := checkRow(table, sourceColumns, values, s.fingerprint); err != nil {
			damaged = err
			continue
		}
		args := make([]any, len(positions))
		for i, j := range positions {
			args[i] = values[j]
		}
		if table == "meta" && s.skipMeta(args[slices.Index(columns, "key")], from) {
			continue
		}
		n, err := s.sql.Count(insert, args...)
		switch {
		case sqldb.IsDiskFailure(err):
			return saved, err
		case err != nil || n == 0 && first && table != "forgotten":
			damaged = errors.Join(err, fmt.Errorf("a row of %s is damaged", table))
		case table == "memories":
			saved += int(n)
		}
	}
	return saved, errors.Join(rows.Err(), damaged)
}

func scanRow(rows *sql.Rows, columns int) ([]any, error) {
	values, pointers := make([]any, columns), make([]any, columns)
	for i := range values {
		pointers[i] = &values[i]
	}
	return values, rows.Scan(pointers...)
}

// skipMeta reports whether a key of meta is not to be copied. A newer source had
// it, or it belongs to the marks of forgotten texts.
func (s *salvager) skipMeta(key any, from Source) bool {
	name, _ := key.(string)
	if s.metaKeys[name] || name == "forget_key" && from.IsBackup && s.hasMarks {
		return true
	}
	s.metaKeys[name] = true
	return false
}

// conflictRule decides which row wins. In meta it is the copied one: it has the key
// of the marks of forgotten texts. In other tables the first source wins.
func conflictRule(table string) string {
	if table == "meta" {
		return "REPLACE"
	}
	return "IGNORE"
}

// sharedColumns returns the columns that both databases have, and their positions
// in the source.
func (s *salvager) sharedColumns(table string, sourceColumns []string) (names []string, positions []int, err error) {
	catalog, err := s.sql.Catalog()
	own := catalog.Columns(table)
	for i, name := range sourceColumns {
		if slices.Contains(own, name) {
			names, positions = append(names, name), append(positions, i)
		}
	}
	if err == nil && len(names) == 0 {
		err = memory.Unavailable(nil, "no column of %s is known", table)
	}
	return names, positions, err
}

func salvageNotice(source string, saved int, lost []string) string {
	notice := fmt.Sprintf("%d memories were copied from %s", saved, source)
	if len(lost) > 0 {
		notice += "; these tables could not be read completely: " + strings.Join(lost, ", ")
	}
	return notice
}
