package ingest

import (
	"context"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
)

// Turns lets one ingest of a workspace run at a time. A long one lets callers that wait go
// first. A paused ingest reads its files again, so it works at least twice as long as that
// takes.
type Turns struct {
	token chan struct{} // holds one, so that a caller can stop waiting

	mu       sync.Mutex
	waiting  int // callers for which the running ingest may pause
	running  bool
	started  time.Time
	planning time.Duration // from the start until the first transaction; 0: not there yet
}

// NewTurns returns the turns of a workspace.
func NewTurns() *Turns { return &Turns{token: make(chan struct{}, 1)} }

// Take waits for the turn of others to end, then holds them off until give is called.
func (t *Turns) Take(ctx context.Context) (give func(), err error) {
	t.add(1)
	defer t.add(-1)
	return t.TakeLater(ctx)
}

// TakeLater waits like Take, but a long ingest does not pause for it. An ingest of every file
// waits so: the running one does most of its work, and a pause makes both read the files again.
func (t *Turns) TakeLater(ctx context.Context) (give func(), err error) {
	select {
	case t.token <- struct{}{}:
		return func() { <-t.token }, nil
	case <-ctx.Done():
		return nil, memory.Unavailable(ctx.Err(), "the index is busy").WithHint("try again in a moment")
	}
}

// Begin allows the ingest that starts now to be paused.
func (t *Turns) Begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running, t.started, t.planning = true, time.Now(), 0
}

// End tells that the ingest has ended.
func (t *Turns) End() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running = false
}

func (t *Turns) add(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting += n
}

// Pause reports whether the running ingest lets a waiting caller go first. It is called
// between two transactions.
func (t *Turns) Pause() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	elapsed := time.Since(t.started)
	if t.planning == 0 {
		t.planning = elapsed
	}
	return t.running && t.waiting > 0 && elapsed >= 2*t.planning
}
