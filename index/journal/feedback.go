package journal

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Feedback lists the verdicts about memories, oldest first.
func (j *Journal) Feedback(ctx context.Context) (list []memory.Feedback, err error) {
	err = j.sql.Read().Each(ctx, "SELECT memory_id, verdict, query, at FROM feedback ORDER BY at, batch", nil, func(scan func(...any) error) error {
		var f memory.Feedback
		var at sqlite.Millis
		err := scan(&f.ID, (*string)(&f.Verdict), &f.Query, &at)
		f.At = at.Time()
		list = append(list, f)
		return err
	})
	return list, sqlite.Wrap("read feedback", err)
}

// AddFeedback stores a verdict about a memory. batch names the command.
func (w *Writer) AddFeedback(batch string, f memory.Feedback) error {
	return w.sql.Exec("INSERT OR REPLACE INTO feedback(batch, memory_id, verdict, query, at) VALUES (?, ?, ?, ?, ?)",
		batch, f.ID, string(f.Verdict), f.Query, w.now)
}

// DeleteFeedback deletes the verdict of one command.
func (w *Writer) DeleteFeedback(batch string) error {
	return w.sql.Exec("DELETE FROM feedback WHERE batch = ?", batch)
}

// DeleteFeedbackAbout deletes the verdicts whose question contains one of some texts.
func (w *Writer) DeleteFeedbackAbout(hasText func(string) bool) error {
	var found []string
	err := w.sql.Each("SELECT batch, query FROM feedback", nil, func(scan func(...any) error) error {
		var batch, query string
		err := scan(&batch, &query)
		if hasText(query) {
			found = append(found, batch)
		}
		return err
	})
	if err != nil {
		return err
	}
	return w.sql.Exec("DELETE FROM feedback WHERE batch IN (SELECT value FROM json_each(?))", sqlite.JSONList(found))
}
