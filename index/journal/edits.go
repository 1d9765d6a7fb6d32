package journal

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Edit is the text of a memory before and after a person edited it.
type Edit struct {
	ID        memory.ID // the memory that has Text
	Was, Text string
}

// maxEdits is the number of edits that are kept: as many as one undo reverses.
const maxEdits = 100

// AddEdit keeps the texts of an edit, so that undo can reverse it.
func (w *Writer) AddEdit(batch string, e Edit) error {
	if err := w.sql.Exec("INSERT INTO edits(batch, memory_id, was, text) VALUES (?, ?, ?, ?)", batch, e.ID, e.Was, e.Text); err != nil {
		return err
	}
	return w.sql.Exec("DELETE FROM edits WHERE seq <= (SELECT max(seq) FROM edits) - ?", maxEdits)
}

// EditOf returns the edit of a command.
func (j *Journal) EditOf(ctx context.Context, batch string) (e Edit, err error) {
	found := false
	err = j.sql.Read().Each(ctx, "SELECT memory_id, was, text FROM edits WHERE batch = ?", []any{batch}, func(scan func(...any) error) error {
		found = true
		return scan(&e.ID, &e.Was, &e.Text)
	})
	if err == nil && !found {
		return e, memory.Conflict("the former text is not kept any more").WithHint("edit the memory again")
	}
	return e, sqldb.Wrap("read the edit", err)
}

// deleteTexts deletes the rows of a table that have one of some texts. key and text are
// columns of it.
func (w *Writer) deleteTexts(table, key, text string, hasText func(string) bool) error {
	var found []string
	err := w.sql.Each("SELECT "+key+", "+text+" FROM "+table, nil, func(scan func(...any) error) error {
		var name, content string
		err := scan(&name, &content)
		if hasText(content) {
			found = append(found, name)
		}
		return err
	})
	if err != nil {
		return err
	}
	return w.sql.Exec("DELETE FROM "+table+" WHERE "+key+" IN (SELECT value FROM json_each(?))", sqldb.JSONList(found))
}
