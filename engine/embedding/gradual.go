package embedding

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/index"
)

// noService is why a model's work in the background waits in a command.
const noService = "no service runs"

// mustWait reports whether the work of a model in the background has to wait, and notes
// the reason for Status. Only a gradual model waits that no person chose.
func (m *Models) mustWait(model embed.Embedder, hold func() string) bool {
	if !inBackground(model) {
		m.updateState(func(h *modelState) { h.modelWaits = "" })
		return false
	}
	reason := noService
	if hold != nil {
		reason = hold()
	}
	m.updateState(func(h *modelState) { h.modelWaits = reason })
	return reason != ""
}

// maxCatchUp is the number of texts that a gradual model embeds even if its work has to
// wait. They take a second or two.
const maxCatchUp = 64

// ChangeModel makes the vectors that the serving model lacks while another one answers, for about
// the time limit. more reports that some are left. hold returns why a model's work in the
// background has to wait. progress may be nil.
func (m *Models) ChangeModel(ctx context.Context, limit time.Duration, hold func() string, progress func(memory.Progress)) (more bool, err error) {
	if !m.changeMu.TryLock() {
		return true, nil // another caller is working on it
	}
	defer m.changeMu.Unlock()
	model, kept := m.Embedder(), m.KeptEmbedder()
	if kept == nil || IsUnavailable(model) {
		return false, nil
	}
	defer func() {
		if ctx.Err() == nil {
			m.updateState(func(h *modelState) { h.modelChangeErr = err })
		}
	}()
	_, keptErr := m.fillKept(ctx, kept, m.currentState().keptChecked) // without its vectors, only queries meanwhile are worse
	m.updateState(func(h *modelState) { h.keptChecked = keptErr == nil })
	lacking, err := m.unembedded(ctx, model)
	if err != nil {
		return false, err
	}
	if m.mustWait(model, hold) && lacking > maxCatchUp {
		return false, nil
	}
	m.mu.Lock()
	m.embedBatches.startSmall()
	m.mu.Unlock()
	total := lacking
	for start := time.Now(); lacking > 0; {
		n, err := m.embedNext(ctx, model)
		if ctx.Err() != nil {
			return true, ctx.Err()
		}
		if err != nil {
			return false, err
		}
		if lacking = max(0, lacking-n); n == 0 {
			lacking = 0
		}
		if progress != nil {
			progress(memory.Progress{Stage: "embed", Done: total - lacking, Total: total})
		}
		if lacking > 0 && limit > 0 && time.Since(start) > limit {
			return true, nil
		}
	}
	m.updateState(func(h *modelState) { h.modelWaits = "" })
	return false, m.finishChange(ctx, model)
}

// finishChange ends the use of the model that answered before, when the serving one has all
// vectors. Queries that ran on the former one meanwhile are run again.
func (m *Models) finishChange(ctx context.Context, model embed.Embedder) error {
	kept := meanwhileOf(model)
	if kept != nil && kept.Model() == m.KeptEmbedder().Model() {
		return nil
	}
	m.swapMu.Lock()
	err := m.keep(ctx, kept)
	if err == nil {
		m.setServing(model, kept)
	}
	m.swapMu.Unlock()
	if err == nil && kept != nil {
		_, err = m.fillKept(ctx, kept, false)
	}
	return err
}

// keep keeps the vectors of the model that answers while the serving one lacks some; nil: of none.
func (m *Models) keep(ctx context.Context, e embed.Embedder) error {
	if e == nil {
		return m.db.UseModel(ctx, index.KeptModel, "", 0)
	}
	m.updateState(func(h *modelState) { h.keptChecked = false })
	return m.db.UseModel(ctx, index.KeptModel, e.Model(), e.Dim())
}

// fillKept embeds the texts that have no vector of the kept model. With onlyPending it looks only
// at new texts.
func (m *Models) fillKept(ctx context.Context, kept embed.Embedder, onlyPending bool) (done int, err error) {
	batch := maxBatch
	if embed.UsesServer(kept) {
		batch = firstBatch
	}
	for {
		chunks, err := m.db.LackingKept(ctx, kept.Model(), onlyPending, batch, !kept.Remote())
		if err != nil || len(chunks) == 0 {
			return done, err
		}
		vectors, err := m.embedChunks(ctx, kept, chunks)
		if err != nil {
			return done, err
		}
		if err := m.db.PutPending(ctx, kept.Model(), vectors); err != nil {
			return done, err
		}
		done += len(chunks)
	}
}
