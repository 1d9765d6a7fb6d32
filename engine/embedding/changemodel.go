package embedding

import (
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/index"
)

// ChangeModel embeds chunks with the next model, and promotes it when it has
// embedded all.
func (m *Models) ChangeModel(ctx context.Context, limit time.Duration, hold func() string, progress func(memory.Progress)) (more bool, err error) {
	if !m.changeMu.TryLock() {
		return true, nil // another caller is working on it
	}
	defer m.changeMu.Unlock()
	m.mu.Lock()
	next := m.nextModel
	m.mu.Unlock()
	if next == nil {
		return m.fillServing(ctx, limit, hold)
	}
	if m.mustWait(next, hold) {
		if done, total, err := m.db.StagedProgress(ctx, next.Model(), true); err != nil || total-done > maxCatchUp {
			return false, err
		}
	}
	defer func() {
		if ctx.Err() == nil {
			m.updateState(func(h *modelState) { h.modelChangeErr = err })
		}
	}()
	if err := m.stage(ctx, next); err != nil {
		return false, err
	}
	for start := time.Now(); ctx.Err() == nil; {
		n, err := m.stageBatch(ctx, next)
		if err != nil {
			return false, err
		}
		if progress != nil {
			if done, total, err := m.db.StagedProgress(ctx, next.Model(), !next.Remote()); err == nil {
				progress(memory.Progress{Stage: "embed", Done: done, Total: total})
			}
		}
		if n == 0 {
			return m.promoteModel(ctx, next)
		}
		if limit > 0 && time.Since(start) > limit {
			return true, nil
		}
	}
	return true, ctx.Err()
}

// stageBatch gives some chunks their vectors of the next model, from the cache or
// the model. n is 0 when none is left.
func (m *Models) stageBatch(ctx context.Context, next embed.Embedder) (n int, err error) {
	start := time.Now()
	chunks, last, err := m.nextStaged(ctx, next)
	if err != nil || len(chunks) == 0 {
		return 0, err
	}
	keys := make([]memory.Fingerprint, len(chunks))
	for i, c := range chunks {
		keys[i] = c.Fingerprint
	}
	known, err := m.db.Vectors(ctx, next.Model(), keys)
	if err != nil {
		return 0, err
	}
	missing := slices.DeleteFunc(slices.Clone(chunks), func(c index.PendingChunk) bool { return known[c.Fingerprint] != nil })
	vectors, err := m.embedChunks(ctx, next, missing)
	if err != nil {
		return 0, err
	}
	for f, v := range known {
		vectors[f] = v
	}
	if err := m.db.PutPending(ctx, next.Model(), vectors); err != nil {
		return 0, err
	}
	m.stagedUpTo = last
	m.changeBatches.adjust(time.Since(start), next)
	return len(chunks), nil
}

// nextStaged returns the next chunks to embed, and the position to continue from. At the
// end it starts from the first chunk again, for those that were edited meanwhile.
func (m *Models) nextStaged(ctx context.Context, next embed.Embedder) (chunks []index.PendingChunk, last int64, err error) {
	if _, isGradual := next.(embed.Gradual); isGradual {
		m.changeBatches.startSmall()
	}
	chunks, last, err = m.db.PendingStaged(ctx, next.Model(), m.stagedUpTo, m.changeBatches.size(), !next.Remote())
	if err == nil && len(chunks) == 0 && m.stagedUpTo > 0 {
		m.stagedUpTo = 0 // chunks that were edited meanwhile may have lower ids
		chunks, last, err = m.db.PendingStaged(ctx, next.Model(), 0, m.changeBatches.size(), !next.Remote())
	}
	return chunks, last, err
}

// promoteModel makes the next model serve. Queries that ran on the previous one
// meanwhile are run again.
func (m *Models) promoteModel(ctx context.Context, next embed.Embedder) (more bool, err error) {
	if err := m.keepMeanwhile(ctx, next, false); err != nil {
		return false, err
	}
	m.swapMu.Lock()
	swapped, err := m.db.PromoteModel(ctx, !next.Remote())
	if swapped {
		m.setServing(next)
	}
	m.swapMu.Unlock()
	if err != nil || !swapped {
		return err == nil, err // a chunk was indexed at the last moment
	}
	m.mu.Lock()
	m.nextModel = nil
	m.mu.Unlock()
	m.db.Follow(ctx)
	return false, nil
}
