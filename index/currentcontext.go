package index

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Context returns the current context of a reader: the first that is set of some users.
// The user "" is everybody. It returns nil if none is set or all have expired at now.
func (db *DB) Context(ctx context.Context, now time.Time, users []string) (*memory.Context, error) {
	all, err := db.currentContext.Get(db.sql, func() (all map[string]memory.Context, err error) {
		all = map[string]memory.Context{}
		err = db.sql.Read().Each(ctx, "SELECT user, text, set_at, expires_at FROM current_context", nil, func(scan func(...any) error) error {
			var user string
			var c memory.Context
			var set, expires sqldb.Millis
			err := scan(&user, &c.Text, &set, &expires)
			c.SetAt, c.ExpiresAt = set.Time(), expires.Time()
			all[user] = c
			return err
		})
		return all, err
	})
	if err != nil {
		return nil, sqldb.Wrap("read context", err)
	}
	for _, user := range users {
		if c := all[user]; c.ExpiresAt.After(now) { // without a context, ExpiresAt is the zero time
			return &c, nil
		}
	}
	return nil, nil
}
