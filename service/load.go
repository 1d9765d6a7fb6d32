package service

import (
	"sync"
	"time"

	"github.com/memory-tiered/memory/internal/machine"
)

// Load tells whether work that nobody waits for may run. Programs at a normal priority do
// not hold it: the work gives way to them, so that it ends on a busy machine too. Its zero
// value is ready to use.
type Load struct {
	mu     sync.Mutex
	starts time.Time
}

// quietStart is how long work waits after the start of the service, which has to read
// the index, and to answer those who started it.
const quietStart = 10 * time.Second

// Hold returns why work that nobody waits for has to wait; empty: it need not.
func (l *Load) Hold() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.starts.IsZero() {
		l.starts = time.Now().Add(quietStart)
	}
	switch {
	case machine.OnBattery():
		return "the machine runs on battery"
	case time.Now().Before(l.starts):
		return "the service has just started"
	}
	return ""
}
