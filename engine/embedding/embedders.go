package embedding

import (
	"cmp"
	"context"
	"errors"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/recall"
)

// Embedders returns the embedders of a configuration, which may change while an
// engine runs. A configured embedder may be unreachable.
type Embedders interface {
	// Configured returns the embedder that the configuration names now. After an
	// error, a later call may succeed.
	Configured(ctx context.Context) (embed.Embedder, error)
	// Previous returns the embedder of a model that has served. It answers queries
	// until the configured one has embedded everything.
	Previous(ctx context.Context, model string) (embed.Embedder, error)
}

// Fixed is the embedder of an engine whose configuration does not change.
type Fixed struct{ embed.Embedder }

func (f Fixed) Configured(context.Context) (embed.Embedder, error) { return f.Embedder, nil }

func (f Fixed) Previous(_ context.Context, model string) (embed.Embedder, error) {
	if model == f.Model() {
		return f.Embedder, nil
	}
	return nil, memory.Unavailable(nil, "the model %s is no longer available", model)
}

// unavailable takes the place of an embedder that cannot be opened. Each call
// returns the cause.
type unavailable struct {
	model string
	dim   int
	cause error
}

// IsUnavailable reports whether an embedder only takes the place of one that cannot be
// opened.
func IsUnavailable(e embed.Embedder) bool {
	_, is := e.(unavailable)
	return is
}

func (u unavailable) Model() string { return u.model }

func (u unavailable) Dim() int { return u.dim }

func (u unavailable) Remote() bool { return false }

func (u unavailable) Embed(ctx context.Context, _ embed.Kind, _ []string) ([][]float32, error) {
	return nil, errors.Join(ctx.Err(), u.cause)
}

// servingModel is the embedder that serves, with the recallers that use it. It is
// replaced as a whole, so that a query's vector and the ranking come from one
// model.
type servingModel struct {
	embed.Embedder
	recaller         *recall.Recaller
	decisionRecaller *recall.Recaller // for decisions: ranks each memory by its own text, without its neighbours

	meanwhile *servingModel // answers while the embedder lacks vectors; nil: keyword search does alone
}

// setServing makes an embedder serve. kept answers while it lacks vectors, and may be nil.
func (m *Models) setServing(e, kept embed.Embedder) {
	m.settingsMu.Lock()
	defer m.settingsMu.Unlock()
	model := m.newServing(e)
	if kept != nil {
		model.meanwhile = m.newServing(kept)
	}
	m.serving.Store(model)
	m.db.MakeVectors(m.makerOf(e, kept))
}

// SetSettings ranks with other settings from now on.
func (m *Models) SetSettings(settings recall.Settings) {
	settings.Zone = m.zone
	m.settingsMu.Lock()
	m.settings = settings
	m.settingsMu.Unlock()
	m.setServing(m.Embedder(), m.KeptEmbedder())
}

func (m *Models) newServing(e embed.Embedder) *servingModel {
	decisionSettings := m.settings
	decisionSettings.Fusion = recall.FusionWeighted
	guarded := guard{e, m.healthOf(e.Model())}
	return &servingModel{Embedder: e, recaller: recall.New(m.db, guarded, m.settings), decisionRecaller: recall.New(m.db, guarded, decisionSettings)}
}

// SelectModel determines which model serves, and which one answers meanwhile.
// configured is nil where it is unavailable; configuredErr has the reason.
func (m *Models) SelectModel(ctx context.Context, from Embedders, configured embed.Embedder, configuredErr error, readOnly bool) error {
	name, dim, err := m.db.Model(ctx, index.ServingModel)
	if err != nil {
		return err
	}
	keptName, _, err := m.db.Model(ctx, index.KeptModel)
	if err != nil {
		return err
	}
	current, kept := m.embedderOf(ctx, name, from, configured), m.embedderOf(ctx, keptName, from, configured)
	switch {
	case configured != nil && configured.Model() == name:
		if kept == nil && !readOnly {
			kept = meanwhileOf(configured)
			err = m.keep(ctx, kept)
		}
		m.setServing(configured, kept)
	case configured == nil, readOnly:
		if current == nil { // it has a dimension, so that queries ask it and get the reason
			current = unavailable{name, max(dim, 1), cmp.Or[error](configuredErr, memory.Unavailable(nil, "the index holds vectors of another model"))}
		}
		m.setServing(current, kept)
	default:
		err = m.replaceModel(ctx, configured, current, kept)
	}
	m.updateState(func(h *modelState) { h.embedderErr = configuredErr })
	return err
}

// replaceModel makes a model serve at once. The one that answers now is kept until the new one
// has all vectors.
func (m *Models) replaceModel(ctx context.Context, by, current, kept embed.Embedder) error {
	answers := current
	if current == nil || kept != nil && !m.isComplete(ctx, current) {
		answers = kept
	}
	if answers != nil && (answers.Dim() == 0 || answers.Model() == by.Model() || by.Dim() == 0 || answers == current && m.hasNoVectors(ctx, current)) {
		answers = nil
	}
	if answers == nil {
		answers = meanwhileOf(by)
	}
	if err := m.keep(ctx, answers); err != nil {
		return err
	}
	m.mu.Lock()
	m.embedBatches = batchSizer{} // nobody knows how fast it is
	m.mu.Unlock()
	m.swapMu.Lock()
	defer m.swapMu.Unlock()
	err := m.db.UseModel(ctx, index.ServingModel, by.Model(), by.Dim())
	if err == nil {
		m.setServing(by, answers)
	}
	return err
}

// meanwhileOf returns the embedder that always answers while another one lacks vectors; nil: none.
func meanwhileOf(e embed.Embedder) embed.Embedder {
	if g, isGradual := e.(embed.Gradual); isGradual {
		return g.Meanwhile()
	}
	return nil
}

// embedderOf returns the embedder of the model whose vectors the index holds, or
// nil if it is unavailable.
func (m *Models) embedderOf(ctx context.Context, name string, from Embedders, configured embed.Embedder) embed.Embedder {
	if name == "" {
		return nil
	}
	for _, e := range []embed.Embedder{m.CurrentEmbedder(), m.KeptEmbedder(), configured, meanwhileOf(configured)} {
		if e != nil && e.Model() == name {
			return e
		}
	}
	e, err := from.Previous(ctx, name)
	if err != nil || e.Model() != name {
		return nil
	}
	return e
}

// CurrentEmbedder returns the embedder that serves, or nil if it is unavailable.
func (m *Models) CurrentEmbedder() embed.Embedder {
	if model := m.serving.Load(); model != nil && !IsUnavailable(model.Embedder) {
		return model.Embedder
	}
	return nil
}

// isComplete reports whether a model serves and has the vector of each text that it may get.
func (m *Models) isComplete(ctx context.Context, e embed.Embedder) bool {
	complete, err := m.db.HasAllVectors(ctx, e.Model(), !e.Remote())
	return err == nil && complete
}

func (m *Models) hasNoVectors(ctx context.Context, e embed.Embedder) bool {
	total, err := m.db.ChunkCount(ctx)
	if err != nil {
		return false
	}
	pending, err := m.db.PendingCount(ctx, e.Model(), true)
	return err == nil && pending == total
}

// NeedsSelection reports whether SelectModel could change anything.
func (m *Models) NeedsSelection(configured embed.Embedder) bool {
	if configured == nil || m.currentState().embedderErr != nil {
		return true
	}
	current := m.Embedder()
	return current.Model() != configured.Model() || inBackground(current) != inBackground(configured)
}
