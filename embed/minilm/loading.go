package minilm

import (
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
)

// A model that failed is not started again for a pause, which doubles with each failure.
// Each start costs a second of processor time, and the causes (memory, disk) seldom end
// within seconds.
const firstPause, longestPause = 15 * time.Second, time.Minute

// slowLoad is the time from which on [Embedder.Failure] reports that the model still
// loads.
const slowLoad = 10 * time.Second

// recentFailure returns why the model is not asked at the moment, or nil.
func (e *Embedder) recentFailure() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.noticeEnd()
	if e.pauses() {
		return e.failure
	}
	return nil
}

// pauses reports whether the model has failed, and is not started again yet. The caller
// holds mu.
func (e *Embedder) pauses() bool {
	return e.failure != nil && time.Since(e.failedAt) < e.pause()
}

// pause returns how long the model is not started after its last failure. The caller
// holds mu.
func (e *Embedder) pause() time.Duration {
	pause := firstPause
	for n := 1; n < e.failures && pause < longestPause; n++ {
		pause *= 2
	}
	return min(pause, longestPause)
}

// started returns the process. It starts one if there is none, and waits until it has
// loaded the model. Work that somebody waits for gets a process with a normal priority.
func (e *Embedder) started(canBeLow bool) (*process, error) {
	if failure := e.recentFailure(); failure != nil {
		return nil, failure
	}
	e.mu.Lock()
	p := e.process
	if p != nil && p.isLow && !canBeLow {
		e.process = nil
	}
	e.mu.Unlock()
	if p != nil && (canBeLow || !p.isLow) {
		return p, nil
	}
	if p != nil {
		p.stop()
	}
	p, err := e.load(canBeLow)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.loading = nil
	if err != nil {
		return nil, e.fail(err)
	}
	e.process, e.failure, e.lastUse = p, nil, time.Now()
	return p, nil
}

// load starts a process, and waits until it has loaded the model. A process that cannot
// be killed is left alone; no other one is started beside it.
func (e *Embedder) load(isLow bool) (*process, error) {
	e.mu.Lock()
	last := e.last
	e.mu.Unlock()
	if last != nil && !last.hasEnded() {
		return nil, errStuck
	}
	p, err := start(e.options.Command(e.options.Dir), isLow)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	e.loading, e.last, e.loads = p, p, time.Now()
	e.mu.Unlock()
	return p, p.load(e.limits.of(e.limits.load, isLow))
}

// fail notes why the model does not run. The caller holds mu.
func (e *Embedder) fail(cause error) error {
	e.failure = memory.Unavailable(cause, "the transformer does not run")
	e.failedAt = time.Now()
	e.failures++
	return e.failure
}

// drop notes that a process has ended, and why. The caller holds mu.
func (e *Embedder) drop(p *process, cause error) error {
	if e.process != p && e.failure != nil {
		return e.failure // noted already
	}
	e.process = nil
	return e.fail(cause)
}

// noticeEnd notes the end of a process that no caller uses: the system ends one when the
// memory is full. The caller holds mu.
func (e *Embedder) noticeEnd() {
	if p := e.process; p != nil && p.hasEnded() {
		_ = e.drop(p, fmt.Errorf("run the transformer: %w", p.reason())) // Failure returns it
		e.failedAt = p.endedAt
	}
}

// Loaded reports whether the model is loaded for questions, and has not failed just now.
func (e *Embedder) Loaded() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.noticeEnd()
	return e.process != nil && !e.process.isLow && !e.pauses()
}

// Loading returns for how long the model has been loading; 0: it does not load.
func (e *Embedder) Loading() time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.loading == nil {
		return 0
	}
	return max(time.Since(e.loads), 1)
}

// Failure returns why the model could not be loaded or run the last time; nil means that
// it could. A model that takes long to load counts too.
func (e *Embedder) Failure() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.noticeEnd()
	if e.loading != nil && time.Since(e.loads) > slowLoad && e.failure == nil {
		return memory.Unavailable(nil, "the transformer has been loading for more than %s; its process is ended after %s", slowLoad, e.limits.load)
	}
	return e.failure
}
