package engine

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

// ChangeModel goes on with every change of model that is under way, for about as
// long as it is told (0: to the end), and says whether there is more to do. What
// it has done is kept, whenever it is interrupted.
func (e *Engine) ChangeModel(ctx context.Context, within time.Duration, progress func(memory.Progress)) (more bool, err error) {
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr != nil || s.isDiskFull() || e.o.ReadOnly {
			continue
		}
		goesOn, err := s.changeModel(ctx, within, progress)
		more = more || goesOn
		errs = append(errs, err)
	}
	return more, errors.Join(errs...)
}

// changeModel embeds for the next model, and lets it serve once it knows all
// that there is.
func (s *workspaceState) changeModel(ctx context.Context, within time.Duration, progress func(memory.Progress)) (more bool, err error) {
	if !s.changeMu.TryLock() {
		return true, nil // somebody is at it
	}
	defer s.changeMu.Unlock()
	s.mu.Lock()
	next := s.nextModel
	s.mu.Unlock()
	if next == nil {
		return false, nil
	}
	defer func() {
		if ctx.Err() == nil {
			s.updateHealth(func(h *health) { h.modelChangeErr = err })
		}
	}()
	for begin := time.Now(); ctx.Err() == nil; {
		n, err := s.stageBatch(ctx, next)
		if err != nil {
			return false, err
		}
		if progress != nil {
			if done, total, err := s.db.StagedProgress(ctx, !next.Remote()); err == nil {
				progress(memory.Progress{Stage: "embed", Done: done, Total: total})
			}
		}
		if n == 0 {
			return s.promoteModel(ctx, next)
		}
		if within > 0 && time.Since(begin) > within {
			return true, nil
		}
	}
	return true, ctx.Err()
}

// stageBatch gives some texts their next vectors: known ones from the cache, the
// others from the model. None are left when it did nothing after it has begun at
// the first again.
func (s *workspaceState) stageBatch(ctx context.Context, next embed.Embedder) (n int, err error) {
	begin := time.Now()
	due, last, err := s.db.PendingStaged(ctx, s.stagedUpTo, s.changeBatches.size(), !next.Remote())
	if err == nil && len(due) == 0 && s.stagedUpTo > 0 {
		s.stagedUpTo = 0 // what was edited meanwhile may stand before
		due, last, err = s.db.PendingStaged(ctx, 0, s.changeBatches.size(), !next.Remote())
	}
	if err != nil || len(due) == 0 {
		return 0, err
	}
	keys := make([]memory.Fingerprint, len(due))
	for i, p := range due {
		keys[i] = p.Fingerprint
	}
	known, err := s.db.Vectors(ctx, next.Model(), keys)
	if err != nil {
		return 0, err
	}
	var texts []string
	var lacking []memory.Fingerprint
	for _, p := range due {
		if _, ok := known[p.Fingerprint]; !ok {
			texts, lacking = append(texts, p.Text), append(lacking, p.Fingerprint)
		}
	}
	made, err := embedTexts(ctx, next, texts, lacking)
	if err != nil {
		return 0, err
	}
	for f, v := range known {
		made[f] = v
	}
	if err := s.db.PutPending(ctx, next.Model(), made); err != nil {
		return 0, err
	}
	s.stagedUpTo = last
	s.changeBatches.adjust(time.Since(begin))
	return len(due), nil
}

// promoteModel lets the next model serve. Questions that were asked of the former
// one are asked again; from one moment to the next all are asked of the other.
func (s *workspaceState) promoteModel(ctx context.Context, next embed.Embedder) (more bool, err error) {
	s.swapMu.Lock()
	swapped, err := s.db.PromoteModel(ctx, !next.Remote())
	if swapped {
		s.setServing(next)
	}
	s.swapMu.Unlock()
	if err != nil || !swapped {
		return err == nil, err // something was indexed at the last moment
	}
	s.mu.Lock()
	s.nextModel = nil
	s.mu.Unlock()
	return false, s.db.DropOldModel(ctx)
}

// embedTexts makes the vectors of some texts, and believes none that cannot be.
func embedTexts(ctx context.Context, e embed.Embedder, texts []string, keys []memory.Fingerprint) (map[memory.Fingerprint][]float32, error) {
	byKey := make(map[memory.Fingerprint][]float32, len(keys))
	if len(texts) == 0 {
		return byKey, nil
	}
	vectors, err := e.Embed(ctx, embed.Passage, texts)
	if err == nil {
		err = embed.Check(vectors, len(texts), e.Dim())
	}
	if err != nil {
		return nil, memory.Unavailable(err, "embed %d texts", len(texts))
	}
	for i, k := range keys {
		byKey[k] = vectors[i]
	}
	return byKey, nil
}
