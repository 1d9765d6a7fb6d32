package embedding

import (
	"context"
	"time"

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

// fillServing makes the vectors that a serving, gradual model lacks, for about the time
// limit. more reports that some are left.
func (m *Models) fillServing(ctx context.Context, limit time.Duration, hold func() string) (more bool, err error) {
	g, isGradual := m.serving.Load().Embedder.(embed.Gradual)
	if !isGradual {
		return false, nil
	}
	if _, err := m.fillKept(ctx, g.Meanwhile(), m.keptChecked); err != nil {
		return false, err
	}
	m.keptChecked = true
	n, err := m.unembedded(ctx, g)
	if err != nil || n == 0 {
		m.updateState(func(h *modelState) { h.modelChangeErr, h.modelWaits = err, "" })
		return false, err
	}
	if m.mustWait(g, hold) && n > maxCatchUp {
		return false, nil
	}
	m.mu.Lock()
	m.embedBatches.startSmall()
	m.mu.Unlock()
	for start := time.Now(); err == nil && n > 0 && ctx.Err() == nil && (limit == 0 || time.Since(start) < limit); {
		n, err = m.embedNext(ctx, g)
	}
	if ctx.Err() != nil {
		return true, ctx.Err()
	}
	m.updateState(func(h *modelState) { h.modelChangeErr = err })
	return err == nil && n > 0, err
}

// keepMeanwhile keeps the vectors of the model that answers while a gradual one lacks some.
// For any other model, none are kept.
func (m *Models) keepMeanwhile(ctx context.Context, model embed.Embedder, readOnly bool) error {
	if readOnly {
		return nil
	}
	g, isGradual := model.(embed.Gradual)
	if !isGradual {
		return m.db.UseModel(ctx, index.KeptModel, "", 0)
	}
	kept := g.Meanwhile()
	name, _, err := m.db.Model(ctx, index.KeptModel)
	if err != nil || name == kept.Model() {
		return err // new texts get both vectors
	}
	if err := m.db.UseModel(ctx, index.KeptModel, kept.Model(), kept.Dim()); err != nil {
		return err
	}
	_, err = m.fillKept(ctx, kept, false)
	return err
}

// fillKept embeds the texts that have no vector of the kept model. It takes microseconds
// per text. With onlyPending it looks only at new texts.
func (m *Models) fillKept(ctx context.Context, kept embed.Embedder, onlyPending bool) (done int, err error) {
	for {
		chunks, err := m.db.LackingKept(ctx, kept.Model(), onlyPending, maxBatch)
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
