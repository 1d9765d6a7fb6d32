package embedding

import (
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

func (m *Models) setServing(e embed.Embedder) {
	m.settingsMu.Lock()
	defer m.settingsMu.Unlock()
	m.buildServing(e)
}

// SetSettings ranks with other settings from now on.
func (m *Models) SetSettings(settings recall.Settings) {
	settings.Zone = m.zone
	m.settingsMu.Lock()
	defer m.settingsMu.Unlock()
	m.settings = settings
	m.buildServing(m.serving.Load().Embedder)
}

// buildServing makes the recallers of an embedder. The caller holds settingsMu.
func (m *Models) buildServing(e embed.Embedder) {
	model := m.newServing(e)
	if g, isGradual := e.(embed.Gradual); isGradual {
		model.meanwhile = m.newServing(g.Meanwhile())
	}
	m.serving.Store(model)
}

func (m *Models) newServing(e embed.Embedder) *servingModel {
	decisionSettings := m.settings
	decisionSettings.Fusion = recall.FusionWeighted
	guarded := guard{e, m.healthOf(e.Model())}
	return &servingModel{Embedder: e, recaller: recall.New(m.db, guarded, m.settings), decisionRecaller: recall.New(m.db, guarded, decisionSettings)}
}

// SelectModel determines which model serves, and which one it is being changed to.
// configured is nil where it is unavailable; configuredErr has the reason.
func (m *Models) SelectModel(ctx context.Context, from Embedders, configured embed.Embedder, configuredErr error, readOnly bool) error {
	name, dim, err := m.db.Model(ctx, index.ServingModel)
	if err != nil {
		return err
	}
	next := embed.Embedder(nil)
	gradual, isGradual := configured.(embed.Gradual)
	switch current := m.embedderOf(ctx, name, from, configured); {
	case configured != nil && configured.Model() == name:
		if err = m.abandonModelChange(ctx, readOnly); err == nil {
			err = m.keepMeanwhile(ctx, configured, readOnly)
		}
		m.setServing(configured)
	case configured == nil && current != nil:
		m.setServing(current)
	case configured == nil:
		m.setServing(unavailable{name, max(dim, 1), configuredErr}) // with a dimension, so that queries ask it and get the reason
	case readOnly && current != nil:
		m.setServing(current)
	case readOnly:
		m.setServing(unavailable{name, max(dim, 1), memory.Unavailable(nil, "the index holds vectors of another model")})
	case current == nil || configured.Dim() == 0 || m.hasNoVectors(ctx, name):
		if !isGradual {
			err = m.replaceModel(ctx, configured)
			break
		}
		// The fast model serves until the other one has embedded everything.
		if err = m.replaceModel(ctx, gradual.Meanwhile()); err == nil {
			err = m.stage(ctx, configured)
			next = configured
		}
	default:
		if err = m.stage(ctx, configured); err == nil {
			m.setServing(current)
			next = configured
		}
	}
	m.mu.Lock()
	m.nextModel, m.state.embedderErr = next, configuredErr
	if next == nil {
		m.state.modelChangeErr = nil
	}
	m.mu.Unlock()
	return err
}

// replaceModel makes a model serve at once. Its vectors are missing until they are made.
func (m *Models) replaceModel(ctx context.Context, by embed.Embedder) error {
	m.swapMu.Lock()
	defer m.swapMu.Unlock()
	err := m.db.UseModel(ctx, index.ServingModel, by.Model(), by.Dim())
	if err == nil {
		m.setServing(by)
	}
	return err
}

// embedderOf returns the embedder of the model whose vectors the index holds, or
// nil if it is unavailable.
func (m *Models) embedderOf(ctx context.Context, name string, from Embedders, configured embed.Embedder) embed.Embedder {
	if name == "" {
		return nil
	}
	for _, e := range []embed.Embedder{m.CurrentEmbedder(), configured} {
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
	if model := m.serving.Load(); model != nil {
		if _, isUnavailable := model.Embedder.(unavailable); !isUnavailable {
			return model.Embedder
		}
	}
	return nil
}

func (m *Models) hasNoVectors(ctx context.Context, model string) bool {
	total, err := m.db.ChunkCount(ctx)
	if err != nil {
		return false
	}
	pending, err := m.db.PendingCount(ctx, model, true)
	return err == nil && pending == total
}

func (m *Models) abandonModelChange(ctx context.Context, readOnly bool) error {
	if readOnly {
		return nil
	}
	return m.db.UseModel(ctx, index.StagedModel, "", 0)
}

// stage starts a change to a model, or continues it.
func (m *Models) stage(ctx context.Context, next embed.Embedder) error {
	return m.db.UseModel(ctx, index.StagedModel, next.Model(), next.Dim())
}

// NeedsSelection reports whether SelectModel could change anything.
func (m *Models) NeedsSelection(ctx context.Context, configured embed.Embedder) bool {
	m.mu.Lock()
	next, configuredErr := m.nextModel, m.state.embedderErr
	m.mu.Unlock()
	if configured == nil || configuredErr != nil {
		return true
	}
	current := m.serving.Load().Embedder
	if next == nil {
		return current.Model() != configured.Model() || inBackground(current) != inBackground(configured)
	}
	// A rebuilt index no longer knows of the change.
	name, _, err := m.db.Model(ctx, index.StagedModel)
	return err != nil || next.Model() != configured.Model() || name != configured.Model() || inBackground(next) != inBackground(configured)
}
