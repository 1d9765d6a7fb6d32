package embedding

import (
	"context"
	"errors"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

// Stats describes the model that serves, and the progress of a model change. provider is
// the name of the configured one. isServed reports whether a service works in the background.
func (m *Models) Stats(ctx context.Context, provider string, isServed bool) (memory.EmbeddingStats, error) {
	model := m.serving.Load()
	stats := memory.EmbeddingStats{Provider: providerOf(model.Model()), Model: model.Model(), Dim: model.Dim()}
	m.mu.Lock()
	h, next := m.state, m.nextModel
	m.mu.Unlock()
	for _, err := range []error{h.embedderErr, h.embedErr, m.healthOf(m.answering(ctx).Model()).err()} {
		if err != nil && stats.Error == "" {
			stats.Error = err.Error()
		}
	}
	if u, ok := model.Embedder.(unavailable); ok {
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
	if g, isGradual := model.Embedder.(embed.Gradual); isGradual && err == nil {
		next, err = m.addGradual(ctx, &stats, g)
	}
	if next == nil || err != nil {
		return stats, err
	}
	change := &memory.ModelChange{Model: next.Model(), Dim: next.Dim(), Waiting: h.modelWaits}
	if inBackground(next) && !isServed {
		change.Waiting = noService
	}
	if h.modelChangeErr != nil {
		change.Error, change.Waiting = h.modelChangeErr.Error(), ""
	}
	if stats.Next = change; next == model.Embedder {
		change.Total, err = m.db.ChunkCount(ctx)
		lacking, countErr := m.unembedded(ctx, next)
		change.Done = change.Total - lacking
		return stats, errors.Join(err, countErr)
	}
	change.Done, change.Total, err = m.db.StagedProgress(ctx, next.Model(), !next.Remote())
	if change.Done == 0 && change.Waiting == noService {
		stats.Next = nil // commands alone never begin the change
	}
	return stats, err
}

// addGradual describes a serving, gradual model. If it lacks vectors, the other model
// answers, and next is the gradual one.
func (m *Models) addGradual(ctx context.Context, stats *memory.EmbeddingStats, g embed.Gradual) (next embed.Embedder, err error) {
	complete, err := m.db.HasAllVectors(ctx, g.Model())
	if err != nil || complete {
		return nil, err
	}
	answers := g.Meanwhile()
	stats.Provider, stats.Model, stats.Dim = providerOf(answers.Model()), answers.Model(), answers.Dim()
	return g, nil
}

// providerOf returns the provider of a model: the first part of its name.
func providerOf(model string) string {
	provider, _, _ := strings.Cut(model, "/")
	return provider
}
