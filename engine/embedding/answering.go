package embedding

import (
	"context"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/recall"
)

// inBackground reports whether a model makes its vectors in the background of a service,
// because no person chose it.
func inBackground(e embed.Embedder) bool {
	g, isGradual := e.(embed.Gradual)
	return isGradual && !g.IsChosen()
}

// answering returns the model that answers a query now. While the serving model lacks the
// vector of a text, another one answers that has all vectors.
func (m *Models) answering(ctx context.Context) *servingModel {
	model := m.serving.Load()
	if model.meanwhile == nil {
		return model
	}
	if complete, err := m.db.HasAllVectors(ctx, model.Model(), !model.Remote()); err != nil || !complete {
		return model.meanwhile
	}
	return model
}

// AnsweringEmbedder returns the embedder of the model that answers now.
func (m *Models) AnsweringEmbedder(ctx context.Context) embed.Embedder {
	return m.answering(ctx).Embedder
}

// Recaller returns the recaller of the model that answers now.
func (m *Models) Recaller(ctx context.Context) *recall.Recaller {
	return m.answering(ctx).recaller
}

// DecisionRecaller is recaller for decisions.
func (m *Models) DecisionRecaller(ctx context.Context) *recall.Recaller {
	return m.answering(ctx).decisionRecaller
}

// RecallSettings returns the current settings of recall.
func (m *Models) RecallSettings() recall.Settings {
	return m.serving.Load().recaller.Settings()
}

// WithModel runs a query. It runs it again if the model was replaced meanwhile.
func (m *Models) WithModel(ctx context.Context, run func(*recall.Recaller) error) error {
	for {
		serving := m.serving.Load()
		err := run(m.answering(ctx).recaller)
		m.swapMu.RLock() // waits for a replacement under way, which takes a moment
		same := m.serving.Load() == serving
		m.swapMu.RUnlock()
		if same {
			return err
		}
	}
}

// SimilarityOf returns the similarity that a search finds for a memory among those that a
// predicate accepts, or 0.
func (m *Models) SimilarityOf(ctx context.Context, now time.Time, id memory.ID, query string, p memory.Predicate) (float64, error) {
	if strings.TrimSpace(query) == "" {
		return 0, nil
	}
	listed, alone := p, p // first as a search lists it, so that both show one number
	listed.Archive, listed.Forgotten = false, memory.Exclude
	alone.IDs = []memory.ID{id}
	for _, p := range []memory.Predicate{listed, p, alone} {
		answer, err := m.Recaller(ctx).Search(ctx, now, recall.SearchOptions{Text: query, Predicate: p, Limit: recall.MaxLimit})
		if err != nil {
			return 0, err
		}
		for _, h := range recall.Listing(answer.Hits, false) {
			if h.ID == id {
				return h.Similarity, nil
			}
		}
	}
	return 0, nil
}
