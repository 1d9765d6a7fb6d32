package journal

import (
	"context"
	"errors"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Feedback lists the verdicts about memories, oldest first. The list must not be changed.
func (j *Journal) Feedback(ctx context.Context) ([]memory.Feedback, error) {
	return j.feedback.Get(j.sql, func() ([]memory.Feedback, error) { return j.readFeedback(ctx) })
}

func (j *Journal) readFeedback(ctx context.Context) (list []memory.Feedback, err error) {
	err = j.sql.Read().Each(ctx, "SELECT memory_id, verdict, query FROM feedback ORDER BY at, batch", nil, func(scan func(...any) error) error {
		var f memory.Feedback
		err := scan(&f.ID, (*string)(&f.Verdict), &f.Query)
		list = append(list, f)
		return err
	})
	return list, sqldb.Wrap("read feedback", err)
}

// AddFeedback stores a verdict about a memory. batch names the command.
func (w *Writer) AddFeedback(batch string, f memory.Feedback) error {
	return w.sql.Exec(`INSERT INTO feedback(batch, memory_id, verdict, query, at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (batch, memory_id) DO UPDATE SET verdict = excluded.verdict, query = excluded.query, at = excluded.at`,
		batch, f.ID, string(f.Verdict), f.Query, w.now)
}

// DeleteFeedback deletes the verdict of one command.
func (w *Writer) DeleteFeedback(batch string) error {
	return w.sql.Exec("DELETE FROM feedback WHERE batch = ?", batch)
}

// DeleteTexts deletes the verdicts and the edits that have one of some texts.
func (w *Writer) DeleteTexts(hasText func(string) bool) error {
	return errors.Join(w.deleteTexts("feedback", "batch", "query", hasText), w.deleteTexts("edits", "batch", "was", hasText),
		w.deleteTexts("edits", "batch", "text", hasText))
}
