package minilm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"slices"
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
	options Options
	limits  limits
	slot    chan struct{} // holds one token: who has it talks to the process

	mu        sync.Mutex
	questions map[string][]float32 // the vectors of the last questions
	process   *process             // nil: the model is not loaded
	loading   *process             // nil: none loads the model
	loads     time.Time            // since when it does
	lastUse   time.Time
	failure   error // why the model could not be loaded or run; nil: it could
	failedAt  time.Time
}

// limits are how long the process may take. It gives way to other programs: beside several
// busy ones it gets a tenth of a core.
type limits struct {
	load     time.Duration // to load the model
	batch    time.Duration // to embed some texts
	question time.Duration // to embed a question, also behind other texts
}

// pause is how long a model that failed is not started again. Each start costs a second of
// processor time, and the causes (memory, disk) seldom end within seconds.
const pause = 30 * time.Second

// maxQuestions is the number of questions whose vectors are kept: those of a day's work,
// in 0.4 MB. A host asks some questions again within seconds: a recall is followed by a
// search, and a page is loaded again.
const maxQuestions = 256

// New returns an embedder. It starts nothing.
func New(o Options) *Embedder {
	// Expanding the weights and loading them takes a second or two, and a batch of long
	// texts without vector instructions some seconds. A process beyond the limits hangs.
	l := limits{load: time.Minute, batch: 5 * time.Minute, question: 3 * time.Second}
	return &Embedder{options: o, limits: l, questions: map[string][]float32{}, slot: make(chan struct{}, 1)}
}

// Model returns [Model].
func (e *Embedder) Model() string { return Model }

// Dim returns [Dim].
func (e *Embedder) Dim() int { return Dim }

// Remote returns false.
func (e *Embedder) Remote() bool { return false }

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
	e.mu.Lock()
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			vectors[i] = make([]float32, Dim)
		} else if known := e.questions[text]; known != nil {
			vectors[i] = slices.Clone(known)
		} else {
			missing, at = append(missing, text), append(at, i)
		}
	}
	e.mu.Unlock()
	if len(missing) == 0 {
		return vectors, nil
	}
	found, err := e.run(ctx, kind, missing)
	if err != nil {
		return nil, err
	}
	for n, i := range at {
		vectors[i] = found[n]
	}
	if kind == embed.Query {
		e.keep(missing, found)
	}
	return vectors, nil
}

// keep keeps the vectors of questions. If there are too many, the others go.
func (e *Embedder) keep(questions []string, vectors [][]float32) {
	const maxBytes = 4 << 10 // longer texts are pasted pages, which nobody asks twice
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, text := range questions {
		if len(e.questions) >= maxQuestions {
			e.questions = map[string][]float32{}
		}
		if len(text) <= maxBytes {
			e.questions[text] = slices.Clone(vectors[i])
		}
	}
}

// run embeds texts in the process.
func (e *Embedder) run(ctx context.Context, kind embed.Kind, texts []string) (vectors [][]float32, err error) {
	slotLimit, limit := noLimit, e.limits.batch
	if kind == embed.Query {
		slotLimit, limit = e.limits.question, e.limits.question
	}
	err = e.withProcess(ctx, slotLimit, func(p *process) (failed, ended error) {
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
	if ended != nil {
		return e.drop(ended)
	}
	if failed != nil {
		return memory.Unavailable(failed, "embed with the transformer")
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lastUse, e.failure = time.Now(), nil
	return nil
}

// started returns the process. It starts one if there is none, and waits until it has
// loaded the model.
func (e *Embedder) started() (*process, error) {
	if failure := e.recentFailure(); failure != nil {
		return nil, failure
	}
	e.mu.Lock()
	p := e.process
	e.mu.Unlock()
	if p != nil {
		return p, nil
	}
	p, err := start(e.options.Command(e.options.Dir))
	if err == nil {
		e.mu.Lock()
		e.loading, e.loads = p, time.Now()
		e.mu.Unlock()
		err = p.load(e.limits.load)
	}
	if err != nil {
		return nil, e.drop(err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.loading, e.process, e.failure, e.lastUse = nil, p, nil, time.Now()
	return p, nil
}

// drop notes that no process runs any more, and why.
func (e *Embedder) drop(cause error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.process, e.loading = nil, nil
	return e.fail(cause)
}

// fail notes why the model does not answer. The caller holds mu.
func (e *Embedder) fail(cause error) error {
	e.failure, e.failedAt = memory.Unavailable(cause, "the transformer does not run"), time.Now()
	return e.failure
}

// recentFailure returns why the model is not asked at the moment, or nil.
func (e *Embedder) recentFailure() error {
	failure := e.Failure()
	e.mu.Lock()
	defer e.mu.Unlock()
	if failure != nil && time.Since(e.failedAt) < pause {
		return failure
	}
	return nil
}

// Failure returns why the model could not be loaded or run the last time; nil means that
// it could. It notices the end of a process that no caller uses: the system ends one when
// the memory is full.
func (e *Embedder) Failure() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if p := e.process; p != nil && p.hasEnded() {
		e.process = nil
		return e.fail(fmt.Errorf("run the transformer: %w", p.reason()))
	}
	return e.failure
}

// Loaded reports whether the model is loaded, and has not failed just now.
func (e *Embedder) Loaded() bool {
	failed := e.recentFailure() != nil
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.process != nil && !failed
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

// ReleaseUnused ends the process if no caller has used it for some time, and reports
// whether it did. That frees its memory. The cache of questions stays. Without an idle
// time, it ends also a process that is in use or loads.
func (e *Embedder) ReleaseUnused(idle time.Duration) bool {
	select {
	case e.slot <- struct{}{}:
	default:
		return idle == 0 && e.end()
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

// end ends a process that is in use or loads. Its caller gets an error.
func (e *Embedder) end() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, p := range []*process{e.process, e.loading} {
		if p != nil {
			p.kill(errors.New("the program ends"))
			return true
		}
	}
	return false
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
