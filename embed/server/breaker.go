package server

import (
	"fmt"
	"sync"
	"time"
)

// breaker is a circuit breaker: after a failure, queries fail at once for a while
// and do not wait for the server.
type breaker struct {
	mu        sync.Mutex
	openUntil time.Time
	lastErr   error // nil: the last request succeeded
}

// check returns the last error while the breaker is open.
func (b *breaker) check() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.lastErr == nil || time.Now().After(b.openUntil) {
		return nil
	}
	return fmt.Errorf("%w (next request in %s)", b.lastErr, time.Until(b.openUntil).Round(time.Second))
}

// note opens the breaker after a failure and closes it after an answer.
func (b *breaker) note(err error, wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lastErr, b.openUntil = err, time.Now().Add(wait)
}
