package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/memory-tiered/memory/index/sqldb"
)

// rowsPerInsert is the number of rows of one INSERT. PostgreSQL prepares the indexes and the
// conditions of a table for each statement, which takes longer than to write a row.
const rowsPerInsert = 50

// Send executes changes in one batch of the protocol. Neighbours that insert rows in the same
// way become one statement.
func (b *backend) Send(ctx context.Context, conn *sql.Conn, changes []sqldb.Change) error {
	var batch pgx.Batch
	for len(changes) > 0 {
		n := 1
		if rows, text := b.insert(changes); text != "" {
			n = rowsPerInsert
			batch.Queue(text, rows...)
		} else {
			batch.Queue(changes[0].Text, changes[0].Args...)
		}
		changes = changes[n:]
	}
	return conn.Raw(func(driver any) error {
		results := driver.(*stdlib.Conn).Conn().SendBatch(ctx, &batch)
		var err error
		for i := 0; i < batch.Len() && err == nil; i++ {
			if _, err = results.Exec(); err != nil {
				err = fmt.Errorf("%.80s: %w", batch.QueuedQueries[i].SQL, err)
			}
		}
		_ = results.Close() // returns the same error
		return err
	})
}

// insert returns a statement that inserts the rows of the first changes, and its arguments. It
// returns none where they are no such changes, or two have the same key: an upsert changes no
// row twice.
func (b *backend) insert(changes []sqldb.Change) (args []any, text string) {
	if len(changes) < rowsPerInsert {
		return nil, ""
	}
	first := changes[0]
	form := b.inserts[first.Text]
	if form == nil {
		form = newInsertForm(first)
		b.inserts[first.Text] = form
	}
	if form.text == "" {
		return nil, ""
	}
	keys := map[string]bool{}
	for _, c := range changes[:rowsPerInsert] {
		key := fmt.Sprint(c.Args[:min(form.keys, len(c.Args))]...)
		if c.Text != first.Text || form.keys > 0 && keys[key] {
			return nil, ""
		}
		keys[key] = true
		args = append(args, c.Args...)
	}
	return args, form.text
}

// insertForm is an INSERT of one row as one of several rows.
type insertForm struct {
	text string // empty: it cannot have several
	keys int    // the number of columns, from the first, in which rows differ; 0: rows may be equal
}

// newInsertForm returns the form of a change. An upsert has one if the columns of its key are
// the first columns.
func newInsertForm(c sqldb.Change) *insertForm {
	n := len(c.Args)
	before, after, found := strings.Cut(c.Text, "VALUES "+row(0, n))
	if !found || n == 0 || strings.Contains(after, "$") {
		return &insertForm{}
	}
	form := &insertForm{}
	if strings.Contains(after, "DO UPDATE") {
		_, columns, _ := strings.Cut(before, "(")
		_, target, _ := strings.Cut(after, "(")
		target, _, _ = strings.Cut(target, ")")
		if !strings.HasPrefix(columns, target+",") {
			return form
		}
		form.keys = 1 + strings.Count(target, ",")
	}
	rows := make([]string, rowsPerInsert)
	for i := range rows {
		rows[i] = row(i*n, n)
	}
	form.text = before + "VALUES " + strings.Join(rows, ", ") + after
	return form
}

// row writes n parameters after the first ones, in parentheses.
func row(first, n int) string {
	parameters := make([]string, n)
	for i := range parameters {
		parameters[i] = "$" + strconv.Itoa(first+i+1)
	}
	return "(" + strings.Join(parameters, ", ") + ")"
}
