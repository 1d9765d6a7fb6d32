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
