package journal

import (
	"time"

	"github.com/memory-tiered/memory/index/sqldb"
)

// SetContext replaces the current context of a user, or everybody's if user is empty. It
// expires at expires; then it is no longer returned, and the next SetContext overwrites it. The former one is kept
// under the command's batch, for [Writer.RestoreContext].
func (w *Writer) SetContext(batch, user, text string, expires time.Time) error {
	if err := w.keepFormerContext(batch, user); err != nil {
		return err
	}
	return w.sql.Exec("INSERT INTO current_context(user, text, set_at, expires_at) VALUES (?, ?, ?, ?)"+replaceContext,
		user, text, w.now, sqldb.ToMillis(expires))
}

// replaceContext ends an insert of a context that replaces the current one of its user.
const replaceContext = ` ON CONFLICT (user) DO UPDATE
	SET text = excluded.text, set_at = excluded.set_at, expires_at = excluded.expires_at`

// ClearContext deletes the current context of a user, and keeps it under the command's batch. It
// reports whether there was one.
func (w *Writer) ClearContext(batch, user string) (cleared bool, err error) {
	if err := w.keepFormerContext(batch, user); err != nil {
		return false, err
	}
	n, err := w.sql.Count("DELETE FROM current_context WHERE user = ? AND expires_at > ?", user, w.now)
	return n > 0, err
}

// maxFormerContexts is the number of former contexts that are kept: as many as one undo
// reverses.
const maxFormerContexts = 100

// keepFormerContext keeps the current context of a user under a batch until it expires.
func (w *Writer) keepFormerContext(batch, user string) error {
	if err := w.sql.Exec(`INSERT INTO former_contexts(batch, user, text, set_at, expires_at)
		SELECT ?, user, text, set_at, expires_at FROM current_context WHERE user = ? AND expires_at > ?`, batch, user, w.now); err != nil {
		return err
	}
	return w.sql.Exec(`DELETE FROM former_contexts WHERE expires_at <= ?
		OR seq NOT IN (SELECT seq FROM former_contexts ORDER BY seq DESC LIMIT ?)`, w.now, maxFormerContexts)
}

// RestoreContext makes the context of a user current again that a command replaced. Without one
// that still holds, no context is set any more. It reports whether one is.
func (w *Writer) RestoreContext(batch, user string) (restored bool, err error) {
	if err := w.sql.Exec("DELETE FROM current_context WHERE user = ?", user); err != nil {
		return false, err
	}
	n, err := w.sql.Count(`INSERT INTO current_context(user, text, set_at, expires_at)
		SELECT user, text, set_at, expires_at FROM former_contexts WHERE batch = ? AND expires_at > ?`+replaceContext, batch, w.now)
	if err != nil {
		return false, err
	}
	return n > 0, w.sql.Exec("DELETE FROM former_contexts WHERE batch = ?", batch)
}

// DeleteContexts deletes the current and former contexts that have one of some texts.
func (w *Writer) DeleteContexts(hasText func(string) bool) error {
	type userText struct{ user, text string }
	for _, table := range []string{"current_context", "former_contexts"} {
		var found []userText
		err := w.sql.Each("SELECT user, text FROM "+table, nil, func(scan func(...any) error) error {
			var one userText
			err := scan(&one.user, &one.text)
			if hasText(one.text) {
				found = append(found, one)
			}
			return err
		})
		if err != nil {
			return err
		}
		for _, one := range found {
			if err := w.sql.Exec("DELETE FROM "+table+" WHERE user = ? AND text = ?", one.user, one.text); err != nil {
				return err
			}
		}
	}
	return nil
}
