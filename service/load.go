package service

import (
	"fmt"
	"sync"
	"time"

	"github.com/memory-tiered/memory/internal/machine"
)

// Load tells whether the machine has time for work that nobody waits for. Its zero value
// is ready to use.
type Load struct {
	mu     sync.Mutex
	begin  machine.Times
	share  float64 // of the processor time that was in use in the last pause
	starts time.Time
	waits  time.Time // when a busy machine last got a slice of work, or became busy
}

// busyShare is the share of the machine's processor time from which on it is busy. A
// program that uses one core of two does not make it busy.
const busyShare = 0.75

// quietStart is how long work waits after the start of the service, which has to read
// the index, and to answer those who started it.
const quietStart = 10 * time.Second

// longestWait is the time after which even a busy machine gets a slice of work. So the
// work ends on a machine that is always busy, for a sixtieth of its time.
const longestWait = time.Minute

// Begin begins a pause of the service's own work.
func (l *Load) Begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begin = machine.Measure()
	if l.starts.IsZero() {
		l.starts = time.Now().Add(quietStart)
	}
}

// End ends the pause, and computes what others used in it.
func (l *Load) End() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.share = machine.Measure().BusySince(l.begin)
}

// Hold returns why work that nobody waits for has to wait; empty: it need not.
func (l *Load) Hold() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case machine.OnBattery():
		return "the machine runs on battery"
	case time.Now().Before(l.starts):
		return "the service has just started"
	case l.share < busyShare:
		l.waits = time.Time{}
		return ""
	case l.waits.IsZero():
		l.waits = time.Now()
	case time.Since(l.waits) >= longestWait:
		l.waits = time.Time{}
		return ""
	}
	return fmt.Sprintf("the machine is busy (%.0f %%)", 100*l.share)
}
