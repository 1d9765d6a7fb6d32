package minilm

import (
	"context"
	"errors"
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
	limits    limits
	questions *questionCache
	slot      chan struct{} // holds one token: who has it talks to the process

	mu       sync.Mutex
	process  *process // nil: the model is not loaded
	lastUse  time.Time
	loading  *process  // nil: none loads the model
	loads    time.Time // since when it does
	last     *process  // the last one that was started
	failure  error     // why the model could not be loaded or run; nil: it could
	failedAt time.Time
	failures int // without a vector between them
}

// limits are how long the process may take.
type limits struct {
	load     time.Duration // to load the model
	batch    time.Duration // to embed some texts
	question time.Duration // to embed a question, also behind other texts
}

// patience is how many times as long a process with a low priority may take. Beside several
// busy programs it gets a tenth of a core.
const patience = 10

func (limits) of(limit time.Duration, isLow bool) time.Duration {
	if isLow {
		return patience * limit
	}
	return limit
}

// New returns an embedder. It starts nothing.
func New(o Options) *Embedder {
	// Expanding the weights and loading them takes a second or two, and a batch of long
	// texts without vector instructions some seconds. A process beyond the limits hangs.
	l := limits{load: time.Minute, batch: time.Minute, question: 3 * time.Second}
	return &Embedder{options: o, limits: l, questions: newQuestionCache(), slot: make(chan struct{}, 1)}
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
	return e.embed(ctx, kind, texts, false)
}

func (e *Embedder) embed(ctx context.Context, kind embed.Kind, texts []string, canBeLow bool) ([][]float32, error) {
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
	found, err := e.run(ctx, kind, missing, canBeLow)
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

// EmbedInBackground embeds passages that nobody waits for. A process that it starts gives
// way to other programs. The next question replaces that process.
func (e *Embedder) EmbedInBackground(ctx context.Context, texts []string) ([][]float32, error) {
	return e.embed(ctx, embed.Passage, texts, true)
}

// run embeds texts in the process.
func (e *Embedder) run(ctx context.Context, kind embed.Kind, texts []string, canBeLow bool) ([][]float32, error) {
	slotLimit, limit := noLimit, e.limits.batch
	if kind == embed.Query {
		slotLimit, limit = e.limits.question, e.limits.question
	}
	var vectors [][]float32
	err := e.withProcess(ctx, slotLimit, canBeLow, func(p *process) (failed, ended error) {
		vectors, failed, ended = p.embed(texts, e.limits.of(limit, p.isLow))
		if failed == nil && ended == nil {
			failed = embed.Check(vectors, len(texts), Dim)
		}
		return failed, ended
	})
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failures = 0
	return vectors, nil
}

// Load loads the model, unless it is loaded.
func (e *Embedder) Load(ctx context.Context) error {
	return e.withProcess(ctx, noLimit, false, func(*process) (failed, ended error) { return nil, nil })
}

// noLimit is a time limit for who may wait for any batch.
const noLimit = time.Duration(math.MaxInt64)

// withProcess calls use with a process that has loaded the model, while no other caller
// does. It waits for others up to the limit, and not at all after a failure.
func (e *Embedder) withProcess(ctx context.Context, slotLimit time.Duration, canBeLow bool, use func(*process) (failed, ended error)) error {
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
		err := e.useProcess(canBeLow, use)
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
func (e *Embedder) useProcess(canBeLow bool, use func(*process) (failed, ended error)) error {
	p, err := e.started(canBeLow)
	if err != nil {
		return err
	}
	failed, ended := use(p)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lastUse = time.Now()
	if ended != nil {
		return e.drop(p, ended)
	}
	if failed != nil {
		return memory.Unavailable(failed, "embed with the transformer")
	}
	e.failure = nil
	return nil
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
