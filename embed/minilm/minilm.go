package minilm

import (
	"context"
	"fmt"
	"math"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

// Options configure an Embedder.
type Options struct {
	Dir     string                     // where the expanded weights are kept
	Command func(dir string) *exec.Cmd // returns the command that calls [Serve] with its standard input and output
}

// Embedder runs the model in a process of its own, which it starts at the first use. It
// is safe for concurrent use, and embeds one batch at a time.
type Embedder struct {
	options   Options
	questions *questionCache
	slot      chan struct{} // holds one token: who has it talks to the process

	mu       sync.Mutex
	process  *process // nil: the model is not loaded
	lastUse  time.Time
	failure  error // why the model could not be loaded or run; nil: it could
	failedAt time.Time
}

// New returns an embedder. It starts nothing.
func New(o Options) *Embedder {
	return &Embedder{options: o, questions: newQuestionCache(), slot: make(chan struct{}, 1)}
}

// Model returns [Model].
func (e *Embedder) Model() string { return Model }

// Dim returns [Dim].
func (e *Embedder) Dim() int { return Dim }

// Remote returns false.
func (e *Embedder) Remote() bool { return false }

// retryAfter is how long a model that failed is not started again. Each start costs a
// second of processor time, and the causes (memory, disk) seldom end within seconds.
const retryAfter = 15 * time.Second

// Embed loads the model if it is not loaded. Blank texts get the zero vector. When ctx
// is done, Embed returns, but the process completes the batch. A question waits for three
// seconds at most. The vectors of the last questions come from a cache.
func (e *Embedder) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(texts))
	var missing []string
	var at []int
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			vectors[i] = make([]float32, Dim)
		} else if known := e.questions.get(text); known != nil {
			vectors[i] = known
		} else {
			missing, at = append(missing, text), append(at, i)
		}
	}
	if len(missing) == 0 {
		return vectors, nil
	}
	found, err := e.run(ctx, kind, missing)
	if err != nil {
		return nil, err
	}
	for n, i := range at {
		vectors[i] = found[n]
		if kind == embed.Query {
			e.questions.put(texts[i], found[n])
		}
	}
	return vectors, nil
}

// run embeds texts in the process.
func (e *Embedder) run(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	slotLimit, limit := noLimit, batchLimit
	if kind == embed.Query {
		slotLimit, limit = questionLimit, questionLimit
	}
	var vectors [][]float32
	err := e.withProcess(ctx, slotLimit, func(p *process) (failed, ended error) {
		vectors, failed, ended = p.embed(texts, limit)
		if failed == nil && ended == nil {
			failed = embed.Check(vectors, len(texts), Dim)
		}
		return failed, ended
	})
	if err != nil {
		return nil, err
	}
	return vectors, nil
}

// Load loads the model, unless it is loaded.
func (e *Embedder) Load(ctx context.Context) error {
	return e.withProcess(ctx, noLimit, func(*process) (failed, ended error) { return nil, nil })
}

// noLimit is a time limit for who may wait for any batch.
const noLimit = time.Duration(math.MaxInt64)

// withProcess calls use with a process that has loaded the model, while no other caller
// does. It waits for others up to the limit, and not at all after a failure.
func (e *Embedder) withProcess(ctx context.Context, slotLimit time.Duration, use func(*process) (failed, ended error)) error {
	if err := e.recentFailure(); err != nil {
		return err
	}
	wait := time.NewTimer(slotLimit)
	defer wait.Stop()
	select {
	case e.slot <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	case <-wait.C:
		e.mu.Lock()
		defer e.mu.Unlock()
		return e.fail(fmt.Errorf("another batch takes longer than %s", slotLimit))
	}
	done := make(chan error, 1)
	// A batch cannot be cancelled. It keeps the slot until it is done, even if no caller
	// waits for it any more.
	go func() {
		err := e.useProcess(use)
		<-e.slot // before the answer, so that the process can be released after it
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// useProcess is called by who has the slot.
func (e *Embedder) useProcess(use func(*process) (failed, ended error)) error {
	p, err := e.started()
	if err != nil {
		return err
	}
	failed, ended := use(p)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lastUse = time.Now()
	if ended != nil {
		e.process = nil
		return e.fail(ended)
	}
	if failed != nil {
		return memory.Unavailable(failed, "embed with the transformer")
	}
	e.failure = nil
	return nil
}

// recentFailure returns why the model is not asked at the moment, or nil.
func (e *Embedder) recentFailure() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if time.Since(e.failedAt) >= retryAfter {
		return nil
	}
	return e.failure
}

// started returns the process. It starts one if there is none.
func (e *Embedder) started() (*process, error) {
	e.mu.Lock()
	p := e.process
	e.mu.Unlock()
	if p != nil {
		return p, nil
	}
	if failure := e.recentFailure(); failure != nil {
		return nil, failure
	}
	p, err := start(e.options.Command(e.options.Dir))
	e.mu.Lock()
	defer e.mu.Unlock()
	if err != nil {
		return nil, e.fail(err)
	}
	e.process, e.failure, e.lastUse = p, nil, time.Now()
	return p, nil
}

// fail notes why the model does not run. The caller holds mu.
func (e *Embedder) fail(cause error) error {
	e.failure = memory.Unavailable(cause, "the transformer does not run")
	e.failedAt = time.Now()
	return e.failure
}

// Loaded reports whether the model is loaded, and has not failed just now.
func (e *Embedder) Loaded() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.process != nil && (e.failure == nil || time.Since(e.failedAt) >= retryAfter)
}

// Failure returns why the model could not be loaded or run the last time; nil means that
// it could.
func (e *Embedder) Failure() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.failure
}

// ReleaseUnused ends the process if no caller has used it for some time, and reports
// whether it did. That frees its memory. The cache of questions stays.
func (e *Embedder) ReleaseUnused(idle time.Duration) bool {
	select {
	case e.slot <- struct{}{}:
	default:
		return false // it is in use
	}
	defer func() { <-e.slot }()
	e.mu.Lock()
	p := e.process
	if p == nil || time.Since(e.lastUse) < idle {
		e.mu.Unlock()
		return false
	}
	e.process = nil
	e.mu.Unlock()
	p.stop()
	return true
}

// ResidentBytes returns the memory of the process, or 0 without one or where the system
// does not tell.
func (e *Embedder) ResidentBytes() int64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.process == nil {
		return 0
	}
	return e.process.residentBytes()
}
