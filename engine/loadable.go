package engine

import (
	"context"
	"time"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/index"
)

// byUseQueue is the number of texts that are read at once for a loadable model: some 40
// seconds of work. Sorting all of them for each batch would take longer than embedding.
const byUseQueue = 512

// nextByUse returns the next batch of texts for a loadable model, the newest and most
// used first.
func (s *workspaceState) nextByUse(ctx context.Context) (chunks []index.PendingChunk, err error) {
	if len(s.byUse) == 0 {
		if s.byUse, err = s.db.PendingByUse(ctx, byUseQueue); err != nil {
			return nil, err
		}
	}
	s.changeBatches.startSmall()
	n := min(len(s.byUse), s.changeBatches.size())
	chunks, s.byUse = s.byUse[:n], s.byUse[n:]
	return chunks, nil
}

// noService is why a model's work in the background waits in a command.
const noService = "no service runs"

// mustWait reports whether the work of a model in the background has to wait, and notes
// the reason for Status. Only a loadable model waits: a person did not ask for it.
func (s *workspaceState) mustWait(model embed.Embedder, hold func() string) bool {
	l, loadable := model.(embed.Loadable)
	if !loadable || l.QueriesWait() {
		return false
	}
	reason := noService
	if hold != nil {
		reason = hold()
	}
	s.updateHealth(func(h *health) { h.modelWaits = reason })
	return reason != ""
}

// maxCatchUp is the number of texts that a loaded model embeds even if its work in the
// background has to wait: they take seconds.
const maxCatchUp = 64

// fillServing makes the vectors that a serving, loadable model lacks, for about the time
// limit. more reports that some are left.
func (s *workspaceState) fillServing(ctx context.Context, limit time.Duration, hold func() string) (more bool, err error) {
	l, loadable := s.serving.Load().Embedder.(embed.Loadable)
	if !loadable {
		return false, nil
	}
	if _, err := s.fillKept(ctx, l.Meanwhile(), s.keptChecked); err != nil {
		return false, err
	}
	s.keptChecked = true
	n, err := s.unembedded(ctx, l)
	if err != nil || n == 0 {
		s.updateHealth(func(h *health) { h.modelChangeErr, h.modelWaits = err, "" })
		return false, err
	}
	if s.mustWait(l, hold) && (!l.Loaded() || n > maxCatchUp) {
		return false, nil
	}
	s.mu.Lock()
	s.embedBatches.startSmall()
	s.mu.Unlock()
	for start := time.Now(); err == nil && n > 0 && ctx.Err() == nil && (limit == 0 || time.Since(start) < limit); {
		n, err = s.embedNext(ctx, l)
	}
	if ctx.Err() != nil {
		return true, ctx.Err()
	}
	s.updateHealth(func(h *health) { h.modelChangeErr = err })
	return err == nil && n > 0, err
}

// keepMeanwhile keeps the vectors of the model that answers while a loadable one is not
// loaded. For any other model, none are kept.
func (s *workspaceState) keepMeanwhile(ctx context.Context, model embed.Embedder, readOnly bool) error {
	if readOnly {
		return nil
	}
	l, loadable := model.(embed.Loadable)
	if !loadable {
		return s.db.KeepModel(ctx, "", 0)
	}
	kept := l.Meanwhile()
	name, _, err := s.db.KeptModel(ctx)
	if err != nil || name == kept.Model() {
		return err // new texts get both vectors
	}
	if err := s.db.KeepModel(ctx, kept.Model(), kept.Dim()); err != nil {
		return err
	}
	_, err = s.fillKept(ctx, kept, false)
	return err
}

// fillKept embeds the texts that have no vector of the kept model. It takes microseconds
// per text. With onlyPending it looks only at new texts.
func (s *workspaceState) fillKept(ctx context.Context, kept embed.Embedder, onlyPending bool) (done int, err error) {
	for {
		chunks, err := s.db.LackingKept(ctx, kept.Model(), onlyPending, maxBatch)
		if err != nil || len(chunks) == 0 {
			return done, err
		}
		vectors, err := s.embedChunks(ctx, kept, chunks)
		if err != nil {
			return done, err
		}
		if err := s.db.PutPending(ctx, kept.Model(), vectors); err != nil {
			return done, err
		}
		done += len(chunks)
	}
}
