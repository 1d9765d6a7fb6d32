package sqldb

import "sync/atomic"

// Cache keeps one value that is read from the tables until the next commit. Its
// zero value is empty.
type Cache[T any] struct{ last atomic.Pointer[cached[T]] }

type cached[T any] struct {
	version int64
	value   T
}

// Get returns the value that read returned last, if db has committed nothing
// since. A read-only database calls read each time, because another process
// writes to it.
func (c *Cache[T]) Get(db *DB, read func() (T, error)) (T, error) {
	version := db.Commits() // from before read: a commit during read makes the value old
	if have := c.last.Load(); have != nil && have.version == version && !db.ReadOnly() {
		return have.value, nil
	}
	value, err := read()
	if err == nil {
		c.last.Store(&cached[T]{version, value})
	}
	return value, err
}
