package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// durableTables are the tables that a person would miss, and places, which say where
// memories stood last. Files are read again, and changes count anew.
var durableTables = []string{"memories", "fingerprints", "places", "forgotten", "uses", "current_context", "memory_audit", "intents",
	"receipts", "embeddings", "meta"}

// salvage copies what can be read of the durable tables out of a database that
// was set aside, then what only the last backup has. Every memory is missing
// until its file has been read again.
func (db *DB) salvage(ctx context.Context, aside string, o Options) (notices []string, err error) {
	notices = append(notices, fmt.Sprintf("the database was damaged and has been set aside as %s; it is being built again from the Markdown", aside))
	copying := context.WithoutCancel(ctx) // a copy that broke off would look like damage
	err = db.Update(ctx, o.Now, func(tx *Tx) error {
		saved, lost := tx.salvageFrom(copying, aside)
		notices = append(notices, salvageNotice("the damaged database", saved, lost)...)
		if _, err := os.Stat(o.Backup); o.Backup != "" && err == nil && len(lost) > 0 {
			saved, lost = tx.salvageFrom(copying, o.Backup)
			notices = append(notices, salvageNotice("the last backup", saved, lost)...)
		}
		return tx.markAllMissing()
	})
	return notices, err
}

// markAllMissing turns places into last places. What a fresh database notes of
// itself comes before what was copied.
func (tx *Tx) markAllMissing() error {
	return tx.sql.Run(
		`UPDATE memories SET (last_path, last_ordinal, last_line_start, last_line_end, last_heading, last_block_id) =
		 (SELECT path, ordinal, line_start, line_end, heading, block_id FROM places p WHERE p.memory_id = memories.id)
		 WHERE id IN (SELECT memory_id FROM places)`,
		fmt.Sprintf("UPDATE memories SET missing_since = %d WHERE missing_since IS NULL", max(1, sqlite.ToMillis(tx.Now))),
		"UPDATE memories SET chunks_hash = NULL",
		"DELETE FROM places",
		"DELETE FROM meta WHERE key IN ('model', 'dim', 'vec0', 'next_model', 'next_dim', 'next_vec0', 'clean', 'last_index')",
	)
}

// salvageFrom copies row by row, so that a damaged page costs no more than what
// stands on it and after it. lost names the tables that could not be read to
// their end.
func (tx *Tx) salvageFrom(ctx context.Context, path string) (saved int, lost []string) {
	from, err := sqlite.OpenSource(path)
	if err != nil {
		return 0, durableTables
	}
	defer func() { _ = from.Close() }() // nothing of it is needed any more
	for _, table := range durableTables {
		n, err := tx.salvageTable(ctx, from, table)
		saved += n
		if err != nil {
			lost = append(lost, table)
		}
	}
	return saved, lost
}

func (tx *Tx) salvageTable(ctx context.Context, from *sql.DB, table string) (saved int, err error) {
	rows, err := from.QueryContext(ctx, "SELECT * FROM "+table)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	theirs, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	columns, at, err := tx.sharedColumns(table, theirs)
	if err != nil {
		return 0, err
	}
	insert := fmt.Sprintf("INSERT OR %s INTO %s(%s) VALUES (%s)", conflictRule(table), table, strings.Join(columns, ", "),
		strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", "))
	for rows.Next() {
		values := make([]any, len(theirs))
		pointers := make([]any, len(theirs))
		for i := range values {
			pointers[i] = &values[i]
		}
		if err := rows.Scan(pointers...); err != nil {
			return saved, err
		}
		args := make([]any, len(at))
		for i, j := range at {
			args[i] = values[j]
		}
		if n, err := tx.sql.Count(insert, args...); err != nil {
			return saved, err
		} else if table == "memories" {
			saved += int(n)
		}
	}
	return saved, rows.Err()
}

// conflictRule lets meta take over the former key, without which the marks of
// forgotten texts mean nothing; elsewhere the first source that has a row wins.
func conflictRule(table string) string {
	if table == "meta" {
		return "REPLACE"
	}
	return "IGNORE"
}

// sharedColumns gives the columns that both databases know, and where they stand in
// theirs.
func (tx *Tx) sharedColumns(table string, theirs []string) (names []string, at []int, err error) {
	ours := map[string]bool{}
	err = tx.sql.Each("SELECT name FROM pragma_table_info(?)", []any{table}, func(scan func(...any) error) error {
		var name string
		err := scan(&name)
		ours[name] = true
		return err
	})
	for i, name := range theirs {
		if ours[name] {
			names, at = append(names, name), append(at, i)
		}
	}
	if err == nil && len(names) == 0 {
		err = memory.Unavailable(nil, "no column of %s is known", table)
	}
	return names, at, err
}

func salvageNotice(source string, saved int, lost []string) []string {
	notice := fmt.Sprintf("%d memories were copied from %s", saved, source)
	if len(lost) > 0 {
		notice += "; not readable to their end: " + strings.Join(lost, ", ")
	}
	return []string{notice}
}
