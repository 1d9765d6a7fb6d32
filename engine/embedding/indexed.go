package embedding

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/index"
)

// DefaultWait is how long a call of Index waits for a server that embeds. A
// server that hangs or fails delays it no longer; keyword search finds the texts
// already. A model in this process has no limit, because nothing can block it.
const DefaultWait = 10 * time.Second

// embedLimitError reports that embedding stopped at its time limit.
type embedLimitError struct {
	model string
	limit time.Duration
}

func (e *embedLimitError) Error() string {
	return fmt.Sprintf("%s has not embedded everything within %s", e.model, e.limit)
}

// noteEmbedding notes for Status why embedding failed, also for later processes. A
// time limit is no failure if the model embedded something until then.
func (m *Models) noteEmbedding(ctx context.Context, now time.Time, done int, err error) {
	var limit *embedLimitError
	if errors.As(err, &limit) && done > 0 {
		err = nil
	}
	m.updateState(func(h *modelState) {
		if limit == nil || done > 0 || h.embedErr == nil { // an earlier failure says more than a limit
			h.embedErr = err
		}
	})
	reason := ""
	if err != nil {
		reason = err.Error()
	}
	if stored, readErr := m.db.Meta(ctx, metaEmbedErr); readErr != nil || stored == reason {
		return
	}
	// If it is not written, a later process only lacks the reason.
	_ = m.db.Update(ctx, now, func(tx *index.Tx) error { return tx.SetMeta(metaEmbedErr, reason) })
}

// Wait is how long a caller waits for vectors.
type Wait struct {
	Within    time.Duration // for all of it; 0: no other limit than that of servers
	Server    time.Duration // for a server
	Hold      func() string // returns why a model's work in the background has to wait; nil: no service runs
	IsService bool          // a service continues a model change
}

// EmbedIndexed embeds what was indexed, adds it to the answer, and reports there what is
// pending and why. A failed embedding does not fail the call.
func (m *Models) EmbedIndexed(ctx context.Context, now time.Time, w Wait, answer *memory.IndexAnswer, progress func(memory.Progress)) (err error) {
	model, limit := m.serving.Load().Embedder, w.Within
	if embed.UsesServer(model) {
		limit = shorterLimit(w.Within, w.Server)
	}
	start := time.Now()
	done, failure := m.EmbedPending(ctx, now, limit, progress)
	answer.Embedded += done
	if failure == nil && !w.IsService {
		m.changeModelWithin(ctx, w, time.Since(start), progress)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	answer.Pending, err = m.pendingTexts(ctx, model)
	if err != nil || answer.Pending == 0 {
		return err
	}
	answer.PendingReason = m.pendingReason(model, failure)
	return nil
}

// shorterLimit returns the shorter of two time limits; 0 means none.
func shorterLimit(a, b time.Duration) time.Duration {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// changeModelWithin continues a model change, in a fifth of the time that the caller
// grants for embedding. Status shows its error. used is the time that Index has
// already waited for a server.
func (m *Models) changeModelWithin(ctx context.Context, w Wait, used time.Duration, progress func(memory.Progress)) {
	limit, model := w.Within/5, m.Embedder()
	if embed.UsesServer(model) {
		limit = max(shorterLimit(limit, w.Server-used), time.Millisecond)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, &embedLimitError{model.Model(), limit})
		defer cancel()
	}
	_, _ = m.ChangeModel(ctx, limit, w.Hold, progress)
}

// pendingTexts counts the texts that have no vector and should have one. If no model
// has ever been open, these are all texts.
func (m *Models) pendingTexts(ctx context.Context, e embed.Embedder) (int, error) {
	if u, isUnavailable := e.(unavailable); isUnavailable && u.model == "" {
		return m.db.ChunkCount(ctx)
	}
	if e.Dim() == 0 {
		return 0, nil
	}
	return m.pendingCount(ctx, e)
}

// pendingReason returns why texts have no vector, for a person.
func (m *Models) pendingReason(model embed.Embedder, failure error) string {
	u, isUnavailable := model.(unavailable)
	earlier := m.currentState().embedErr
	switch {
	case isUnavailable:
		return u.cause.Error()
	case earlier != nil:
		return earlier.Error()
	case failure != nil:
		return failure.Error()
	case m.currentState().modelChangeErr != nil:
		return m.currentState().modelChangeErr.Error()
	}
	return "they were indexed a moment ago"
}
