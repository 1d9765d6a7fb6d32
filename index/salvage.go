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

// durableTables are the tables whose loss a person would notice, and places, which
// become last places. Files are read again, and changes start again.
var durableTables = []string{"memories", "fingerprints", "places", "forgotten", "uses", "current_context", "memory_audit", "intents",
	"receipts", "embeddings", "meta"}

// salvage copies the durable tables out of a database that was set aside, as far
// as they can be read. If rows are lost, it adds those of the last backup. Every
// memory is missing until its file has been read again.
func (db *DB) salvage(ctx context.Context, aside string, o Options) (notices []string, err error) {
	notices = append(notices, fmt.Sprintf("the database was damaged and has been set aside as %s; it is being rebuilt from the Markdown", aside))
	copying := context.WithoutCancel(ctx) // an interrupted copy would look like damage
	err = db.Update(ctx, o.Now, func(tx *Tx) error {
		saved, lost := tx.salvageFrom(copying, aside)
		notices = append(notices, salvageNotice("the damaged database", saved, lost))
		if _, err := os.Stat(o.Backup); o.Backup != "" && err == nil && len(lost) > 0 {
			saved, lost = tx.salvageFrom(copying, o.Backup)
			notices = append(notices, salvageNotice("the last backup", saved, lost))
		}
		return tx.markAllMissing()
	})
	return notices, err
}

// markAllMissing turns places into last places, and deletes the copied meta values
// that describe the old database.
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

// salvageFrom copies row by row, so that a damaged page loses only the rows from
// there on. lost lists the tables that could not be read to their end.
func (tx *Tx) salvageFrom(ctx context.Context, path string) (saved int, lost []string) {
	from, err := sqlite.OpenSource(path)
	if err != nil {
		return 0, durableTables
	}
	defer func() { _ = from.Close() }() // everything has been read
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
	sourceColumns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	columns, positions, err := tx.sharedColumns(table, sourceColumns)
	if err != nil {
		return 0, err
	}
	insert := fmt.Sprintf("INSERT OR %s INTO %s(%s) VALUES (%s)", conflictRule(table), table, strings.Join(columns, ", "),
		strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", "))
	for rows.Next() {
		values := make([]any, len(sourceColumns))
		pointers := make([]any, len(sourceColumns))
		for i := range values {
			pointers[i] = &values[i]
		}
		if err := rows.Scan(pointers...); err != nil {
			return saved, err
		}
		args := make([]any, len(positions))
		for i, j := range positions {
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
func (tx *Tx) sharedColumns(table string, sourceColumns []string) (names []string, positions []int, err error) {
	own := map[string]bool{}
	err = tx.sql.Each("SELECT name FROM pragma_table_info(?)", []any{table}, func(scan func(...any) error) error {
		var name string
		err := scan(&name)
		own[name] = true
		return err
	})
	for i, name := range sourceColumns {
		if own[name] {
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
