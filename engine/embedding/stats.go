package embedding

import (
	"context"
	"errors"
	"strings"

	"github.com/memory-tiered/memory"
)

// Stats describes the model that serves, and the progress of a model change. provider is
// the name of the configured one. isServed reports whether a service works in the background.
func (m *Models) Stats(ctx context.Context, provider string, isServed bool) (memory.EmbeddingStats, error) {
	model, h := m.serving.Load(), m.currentState()
	answers := m.answering(ctx)
	stats := memory.EmbeddingStats{Provider: providerOf(answers.Model()), Model: answers.Model(), Dim: answers.Dim()}
	for _, err := range []error{h.embedderErr, h.embedErr, m.healthOf(answers.Model()).err()} {
		if err != nil && stats.Error == "" {
			stats.Error = err.Error()
		}
	}
	if u, ok := answers.Embedder.(unavailable); ok {
		stats.Provider, stats.Dim, stats.Error = provider, 0, u.cause.Error()
		return stats, nil
	}
	var err error
	if stats.Dim > 0 {
		stats.Pending, err = m.pendingCount(ctx, model.Embedder)
	}
	if err == nil && stats.Pending > 0 && stats.Error == "" {
		stats.Error, err = m.db.Meta(ctx, metaEmbedErr) // of an earlier process
	}
	if answers == model || err != nil {
		return stats, err
	}
	change := &memory.ModelChange{Model: model.Model(), Dim: model.Dim(), Waiting: h.modelWaits}
	if inBackground(model.Embedder) && !isServed {
		change.Waiting = noService
	}
	if h.modelChangeErr != nil {
		change.Error, change.Waiting = h.modelChangeErr.Error(), ""
	}
	change.Total, err = m.db.ChunkCount(ctx)
	lacking, countErr := m.unembedded(ctx, model.Embedder)
	change.Done = change.Total - lacking
	if change.Done > 0 || change.Waiting != noService { // commands alone never begin the change
		stats.Next = change
	}
	return stats, errors.Join(err, countErr)
}

// providerOf returns the provider of a model: the first part of its name.
func providerOf(model string) string {
	provider, _, _ := strings.Cut(model, "/")
	return provider
}
