package engine

import (
	"sync"
	"time"
)

// ingestTurn lets callers that wait for a long ingest go first. An interrupted ingest
// reads its files again, so it works at least twice as long as that takes.
type ingestTurn struct {
	mu       sync.Mutex
	waiting  int // callers that wait for the running ingest
	running  bool
	started  time.Time
	planning time.Duration // from the start until the first transaction; 0: not there yet
}

// begin allows the ingest that starts now to be paused.
func (t *ingestTurn) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running, t.started, t.planning = true, time.Now(), 0
}

func (t *ingestTurn) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running = false
}

// wait counts a caller as waiting until done is called.
func (t *ingestTurn) wait() (done func()) {
	t.add(1)
	return func() { t.add(-1) }
}

func (t *ingestTurn) add(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting += n
}

// pause reports whether the running ingest lets a waiting caller go first. It is
// called between two transactions.
func (t *ingestTurn) pause() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	elapsed := time.Since(t.started)
	if t.planning == 0 {
		t.planning = elapsed
	}
	return t.running && t.waiting > 0 && elapsed >= 2*t.planning
}
