package index

import "sync/atomic"

// remembered is what a question asks of the tables every time, kept until
// something is written.
type remembered[T any] struct{ last atomic.Pointer[asOfCommit[T]] }

type asOfCommit[T any] struct {
	commit int64
	value  T
}

// get reads the value, unless nothing was written since it was read. Where
// another process writes, it is read each time.
func (r *remembered[T]) get(db *DB, read func() (T, error)) (T, error) {
	commit := db.commits.Load() // first: what is committed meanwhile makes it old
	if have := r.last.Load(); have != nil && have.commit == commit && !db.readOnly {
		return have.value, nil
	}
	value, err := read()
	if err == nil {
		r.last.Store(&asOfCommit[T]{commit, value})
	}
	return value, err
}
