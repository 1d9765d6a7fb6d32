package index

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Context returns the current context, or nil if none is set or it has expired at
// now.
func (db *DB) Context(ctx context.Context, now time.Time) (*memory.Context, error) {
	c, err := db.currentContext.Get(db.sql, func() (c memory.Context, err error) {
		var set, expires sqlite.Millis
		err = db.sql.Read().One(ctx, "SELECT text, set_at, expires_at FROM current_context", nil, &c.Text, &set, &expires)
		if errors.Is(err, sql.ErrNoRows) {
			return c, nil
		}
		c.SetAt, c.ExpiresAt = set.Time(), expires.Time()
		return c, err
	})
	if err != nil || !c.ExpiresAt.After(now) { // without a context, ExpiresAt is the zero time
		return nil, sqlite.Wrap("read context", err)
	}
	return &c, nil
}

// SetContext replaces the current context. It expires at expires; [DB.Context] then
// no longer returns it, and the next SetContext overwrites it. The former one is kept
// under the command's batch, for [Tx.RestoreContext].
func (tx *Tx) SetContext(batch, text string, expires time.Time) error {
	if err := tx.keepFormerContext(batch); err != nil {
		return err
	}
	return tx.sql.Exec(`INSERT OR REPLACE INTO current_context(id, text, set_at, expires_at) VALUES (1, ?, ?, ?)`,
		text, sqlite.ToMillis(tx.Now), sqlite.ToMillis(expires))
}

// ClearContext deletes the current context, and keeps it under the command's batch. It
// reports whether there was one.
func (tx *Tx) ClearContext(batch string) (cleared bool, err error) {
	if err := tx.keepFormerContext(batch); err != nil {
		return false, err
	}
	n, err := tx.sql.Count("DELETE FROM current_context WHERE expires_at > ?", sqlite.ToMillis(tx.Now))
	return n > 0, err
}

// maxFormerContexts is the number of former contexts that are kept: as many as one undo
// reverses.
const maxFormerContexts = 100

// keepFormerContext keeps the current context under a batch until it expires.
func (tx *Tx) keepFormerContext(batch string) error {
	now := sqlite.ToMillis(tx.Now)
	if err := tx.sql.Exec(`INSERT INTO former_contexts(batch, text, set_at, expires_at)
		SELECT ?, text, set_at, expires_at FROM current_context WHERE expires_at > ?`, batch, now); err != nil {
		return err
	}
	return tx.sql.Exec(`DELETE FROM former_contexts WHERE expires_at <= ?
		OR seq NOT IN (SELECT seq FROM former_contexts ORDER BY seq DESC LIMIT ?)`, now, maxFormerContexts)
}

// RestoreContext makes the context current again that a command replaced. Without one
// that still holds, no context is set any more. It reports whether one is.
func (tx *Tx) RestoreContext(batch string) (restored bool, err error) {
	if err := tx.sql.Exec("DELETE FROM current_context"); err != nil {
		return false, err
	}
	n, err := tx.sql.Count(`INSERT INTO current_context(id, text, set_at, expires_at)
		SELECT 1, text, set_at, expires_at FROM former_contexts WHERE batch = ? AND expires_at > ?`, batch, sqlite.ToMillis(tx.Now))
	if err != nil {
		return false, err
	}
	return n > 0, tx.sql.Exec("DELETE FROM former_contexts WHERE batch = ?", batch)
}
