package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/index"
)

// ChangeModel continues every model change under way, for about the time limit (0:
// to the end), and reports whether more is to do. An interruption loses no finished
// batch. It also makes the vectors that a loadable model lacks.
func (e *Engine) ChangeModel(ctx context.Context, limit time.Duration, progress func(memory.Progress)) (more bool, err error) {
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr != nil || s.isDiskFull() || e.options().ReadOnly {
			continue
		}
		moreHere, err := s.changeModel(ctx, limit, e.options().Hold, progress)
		more = more || moreHere
		errs = append(errs, err)
	}
	return more, errors.Join(errs...)
}

// changeModel embeds chunks with the next model, and promotes it when it has
// embedded all.
func (s *workspaceState) changeModel(ctx context.Context, limit time.Duration, hold func() string, progress func(memory.Progress)) (more bool, err error) {
	if !s.changeMu.TryLock() {
		return true, nil // another caller is working on it
	}
	defer s.changeMu.Unlock()
	s.mu.Lock()
	next := s.nextModel
	s.mu.Unlock()
	if next == nil {
		return s.fillServing(ctx, limit, hold)
	}
	if s.mustWait(next, hold) {
		return false, nil
	}
	defer func() {
		if ctx.Err() == nil {
			s.updateHealth(func(h *health) { h.modelChangeErr = err })
		}
	}()
	for start := time.Now(); ctx.Err() == nil; {
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
		if limit > 0 && time.Since(start) > limit {
			return true, nil
		}
	}
	return true, ctx.Err()
}

// stageBatch gives some chunks their vectors of the next model, from the cache or
// the model. n is 0 when none is left.
func (s *workspaceState) stageBatch(ctx context.Context, next embed.Embedder) (n int, err error) {
	start := time.Now()
	chunks, last, err := s.nextStaged(ctx, next)
	if err != nil || len(chunks) == 0 {
		return 0, err
	}
	keys := make([]memory.Fingerprint, len(chunks))
	for i, c := range chunks {
		keys[i] = c.Fingerprint
	}
	known, err := s.db.Vectors(ctx, next.Model(), keys)
	if err != nil {
		return 0, err
	}
	missing := slices.DeleteFunc(slices.Clone(chunks), func(c index.PendingChunk) bool { return known[c.Fingerprint] != nil })
	vectors, err := s.embedChunks(ctx, next, missing)
	if err != nil {
		return 0, err
	}
	for f, v := range known {
		vectors[f] = v
	}
	if err := s.db.PutPending(ctx, next.Model(), vectors); err != nil {
		return 0, err
	}
	s.stagedUpTo = last
	s.changeBatches.adjust(time.Since(start), next)
	return len(chunks), nil
}

// nextStaged returns the next chunks to embed, and the position to continue from. At the
// end it starts from the first chunk again, for those that were edited meanwhile.
func (s *workspaceState) nextStaged(ctx context.Context, next embed.Embedder) (chunks []index.PendingChunk, last int64, err error) {
	if _, loadable := next.(embed.Loadable); loadable {
		chunks, err = s.nextByUse(ctx)
		return chunks, 0, err
	}
	chunks, last, err = s.db.PendingStaged(ctx, s.stagedUpTo, s.changeBatches.size(), !next.Remote())
	if err == nil && len(chunks) == 0 && s.stagedUpTo > 0 {
		s.stagedUpTo = 0 // chunks that were edited meanwhile may have lower ids
		chunks, last, err = s.db.PendingStaged(ctx, 0, s.changeBatches.size(), !next.Remote())
	}
	return chunks, last, err
}

// promoteModel makes the next model serve. Queries that ran on the previous one
// meanwhile are run again.
func (s *workspaceState) promoteModel(ctx context.Context, next embed.Embedder) (more bool, err error) {
	if err := s.keepMeanwhile(ctx, next, false); err != nil {
		return false, err
	}
	s.swapMu.Lock()
	swapped, err := s.db.PromoteModel(ctx, !next.Remote())
	if swapped {
		s.setServing(next)
	}
	s.swapMu.Unlock()
	if err != nil || !swapped {
		return err == nil, err // a chunk was indexed at the last moment
	}
	s.mu.Lock()
	s.nextModel = nil
	s.mu.Unlock()
	return false, s.db.DropOldModel(ctx)
}
