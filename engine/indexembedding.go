package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/index"
)

// DefaultEmbedWait is how long a call of Index waits for a server that embeds. A
// server that hangs or fails delays it no longer; keyword search finds the texts
// already. A model in this process has no limit, because nothing can block it.
const DefaultEmbedWait = 10 * time.Second

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
func (s *workspaceState) noteEmbedding(ctx context.Context, now time.Time, done int, err error) {
	var limit *embedLimitError
	if errors.As(err, &limit) && done > 0 {
		err = nil
	}
	s.updateHealth(func(h *health) {
		if limit == nil || done > 0 || h.embedErr == nil { // an earlier failure says more than a limit
			h.embedErr = err
		}
	})
	reason := ""
	if err != nil {
		reason = err.Error()
	}
	if stored, readErr := s.db.Meta(ctx, metaEmbedErr); readErr != nil || stored == reason {
		return
	}
	// If it is not written, a later process only lacks the reason.
	_ = s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.SetMeta(metaEmbedErr, reason) })
}

// embedIndexed embeds what Index has indexed, and reports in the answer what is
// pending and why. A failed embedding does not fail the call. within limits the time;
// 0 means no other limit than that of servers.
func (e *Engine) embedIndexed(ctx context.Context, s *workspaceState, now time.Time, within time.Duration, answer *memory.IndexAnswer, progress func(memory.Progress)) (err error) {
	model, limit := s.serving.Load().Embedder, within
	if embed.UsesServer(model) {
		limit = shorterLimit(within, e.options().EmbedWait)
	}
	start, failure := time.Now(), error(nil)
	answer.Embedded, failure = s.embedPending(ctx, now, limit, progress)
	if failure == nil && e.daemon == nil { // no service continues a model change
		e.changeModelWithin(ctx, s, within, time.Since(start), progress)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	answer.Pending, err = s.pendingTexts(ctx, model)
	if err != nil || answer.Pending == 0 {
		return err
	}
	answer.PendingReason = pendingReason(s, model, failure)
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
func (e *Engine) changeModelWithin(ctx context.Context, s *workspaceState, within, used time.Duration, progress func(memory.Progress)) {
	s.mu.Lock()
	next := s.nextModel
	s.mu.Unlock()
	limit := within / 5
	if next != nil && embed.UsesServer(next) {
		limit = max(shorterLimit(limit, e.options().EmbedWait-used), time.Millisecond)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, &embedLimitError{next.Model(), limit})
		defer cancel()
	}
	_, _ = s.changeModel(ctx, limit, e.options().Hold, progress)
}

// pendingTexts counts the texts that have no vector and should have one. If no model
// has ever been open, these are all texts.
func (s *workspaceState) pendingTexts(ctx context.Context, e embed.Embedder) (int, error) {
	if u, isUnavailable := e.(unavailable); isUnavailable && u.model == "" {
		_, total, err := s.db.StagedProgress(ctx, true)
		return total, err
	}
	if e.Dim() == 0 {
		return 0, nil
	}
	return s.pendingCount(ctx, e)
}

// pendingReason returns why texts have no vector, for a person.
func pendingReason(s *workspaceState, model embed.Embedder, failure error) string {
	u, isUnavailable := model.(unavailable)
	earlier := s.currentHealth().embedErr
	switch {
	case isUnavailable:
		return u.cause.Error()
	case earlier != nil:
		return earlier.Error()
	case failure != nil:
		return failure.Error()
	case s.currentHealth().modelChangeErr != nil:
		return s.currentHealth().modelChangeErr.Error()
	}
	return "they were indexed a moment ago"
}
