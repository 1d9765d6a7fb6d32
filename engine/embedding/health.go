package embedding

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

// health is how a model does: its last check, and the latest questions that it embedded.
type health struct {
	mu        sync.Mutex
	checkedAt time.Time // zero: not in this process
	failure   error     // of the last check; keyword search answers alone
	took      []time.Duration
	failed    []bool
	wasSlow   bool // the last check was, which may be the load of the machine
}

// The window of questions that are looked at, and how many are enough to judge.
const window, enough = 200, 20

// maxErrorRate is the share of questions that a model may fail to embed.
const maxErrorRate = 0.01

// note records a question that a model embedded, or failed to.
func (h *health) note(took time.Duration, failed bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.took) == window {
		h.took, h.failed = h.took[1:], h.failed[1:]
	}
	h.took, h.failed = append(h.took, took), append(h.failed, failed)
}

// isBad reports whether too many questions failed, or took too long. The caller holds mu.
func (h *health) isBad() bool {
	if len(h.took) < enough {
		return false
	}
	failed := 0
	for _, f := range h.failed {
		if f {
			failed++
		}
	}
	return float64(failed) > maxErrorRate*float64(len(h.failed)) || percentile95(h.took) > maxLatency
}

// checkInterval is the time between two checks of a model that does well.
const checkInterval = 24 * time.Hour

// isDue reports whether a model is to be checked.
func (h *health) isDue(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	age := now.Sub(h.checkedAt)
	return h.failure != nil || age < 0 || age >= checkInterval || h.isBad()
}

// turn is what a check changed.
type turn int

const (
	stillFails turn = iota // also a slow model that the next check decides about
	nowFails
	answersAgain
	stillAnswers
)

// set notes the result of a check. A model is too slow if two checks find that.
func (h *health) set(now time.Time, failure error) turn {
	h.mu.Lock()
	defer h.mu.Unlock()
	failed, wasSlow := h.failure != nil, h.wasSlow
	if h.wasSlow = errors.Is(failure, errSlow); h.wasSlow && !wasSlow && !failed {
		h.checkedAt = time.Time{} // due again in a minute
		return stillFails
	}
	h.failure, h.checkedAt, h.took, h.failed = failure, now, nil, nil
	switch fails := failure != nil; {
	case fails && failed:
		return stillFails
	case fails:
		return nowFails
	case failed:
		return answersAgain
	}
	return stillAnswers
}

// err returns why a model does not answer.
func (h *health) err() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failure == nil {
		return nil
	}
	return fmt.Errorf("keyword search answers alone, because a check failed: %w", h.failure)
}

// guard is a model that embeds no question while its last check failed.
type guard struct {
	embed.Embedder
	health *health
}

func (g guard) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if err := g.health.err(); err != nil {
		return nil, err
	}
	start := time.Now()
	vectors, err := g.Embedder.Embed(ctx, kind, texts)
	if !errors.Is(ctx.Err(), context.Canceled) {
		g.health.note(time.Since(start), err != nil)
	}
	return vectors, err
}

// Read lets a model read that can.
func (g guard) Read(ctx context.Context, question string, notes []string) ([]float64, error) {
	if r, canRead := g.Embedder.(embed.Reader); canRead {
		return r.Read(ctx, question, notes)
	}
	return nil, nil
}

// healthOf returns the health of a model.
func (m *Models) healthOf(model string) *health {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.health == nil {
		m.health = map[string]*health{}
	}
	if m.health[model] == nil {
		m.health[model] = &health{}
	}
	return m.health[model]
}

// CheckDue checks the model that answers, if that is due. It is due at the start, after a change
// of the model, once a day, and when questions fail or take long. A failed check is repeated at
// each call. check asks the model known questions. changed describes what is different now; empty: nothing.
func (m *Models) CheckDue(ctx context.Context, now time.Time, check func(context.Context, embed.Embedder) error) (changed string, err error) {
	e := m.answering(ctx).Embedder
	if IsUnavailable(e) || e.Dim() == 0 {
		return "", nil
	}
	h := m.healthOf(e.Model())
	if !h.isDue(now) {
		return "", nil
	}
	failure := check(ctx, e)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	switch h.set(now, failure) {
	case nowFails:
		return h.err().Error(), nil
	case answersAgain:
		return "the model " + e.Model() + " answers again", nil
	case stillAnswers:
		return m.dropIfDrifted(ctx)
	}
	return "", nil
}

// A model drifts if it gives other vectors than before for the same texts. A server may have
// replaced it under its old name. sampleSize texts are embedded again. Rounding on another
// machine leaves a cosine of 0.999.
const (
	sampleSize = 8
	minCosine  = 0.98
)

// drift embeds a sample again. It returns what is different if the model has drifted; empty: it
// has not.
func (m *Models) drift(ctx context.Context, e embed.Embedder) (different string, err error) {
	if m.isOff {
		return "", nil
	}
	chunks, err := m.db.Sample(ctx, e.Model(), sampleSize, !e.Remote())
	if err != nil || len(chunks) == 0 {
		return "", err
	}
	keys := make([]memory.Fingerprint, len(chunks))
	for i, c := range chunks {
		keys[i] = c.Fingerprint
	}
	stored, err := m.db.Vectors(ctx, e.Model(), keys)
	if err != nil {
		return "", err
	}
	made, err := m.embedChunks(ctx, e, chunks)
	if err != nil {
		return "", err
	}
	differ := 0
	for f, v := range stored {
		if dot(v, v) > 0 && dot(v, made[f]) < minCosine { // a vector of zeros: the model knew nothing of the text
			differ++
		}
	}
	if 2*differ <= len(chunks) {
		return "", nil
	}
	return fmt.Sprintf("the model %s gives other vectors than before for %d of %d texts", e.Model(), differ, len(chunks)), nil
}

// dropIfDrifted deletes the vectors of the model that answers if it has drifted, so that all
// texts are embedded again. changed reports that; empty: it has not drifted.
func (m *Models) dropIfDrifted(ctx context.Context) (changed string, err error) {
	e := m.AnsweringEmbedder(ctx)
	different, err := m.drift(ctx, e)
	if different == "" || err != nil {
		return "", err
	}
	m.topics.clear()
	return different + ": all texts are embedded anew", m.db.DropVectors(ctx, e.Model())
}
