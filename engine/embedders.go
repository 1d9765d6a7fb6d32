package engine

import (
	"context"
	"errors"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
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

// fixedEmbedder is the embedder of an engine whose configuration does not change.
type fixedEmbedder struct{ embed.Embedder }

func (f fixedEmbedder) Configured(context.Context) (embed.Embedder, error) { return f.Embedder, nil }

func (f fixedEmbedder) Previous(_ context.Context, model string) (embed.Embedder, error) {
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

	meanwhile *servingModel // answers while the embedder is not loaded; nil: it needs no loading
}

func (s *workspaceState) setServing(e embed.Embedder) {
	s.settingsMu.Lock()
	defer s.settingsMu.Unlock()
	s.buildServing(e)
}

// setSettings ranks with other settings from now on.
func (s *workspaceState) setSettings(settings recall.Settings) {
	settings.Zone = s.Zone
	s.settingsMu.Lock()
	defer s.settingsMu.Unlock()
	s.settings = settings
	s.buildServing(s.serving.Load().Embedder)
}

// buildServing makes the recallers of an embedder. The caller holds settingsMu.
func (s *workspaceState) buildServing(e embed.Embedder) {
	model := s.newServing(e)
	if l, loadable := e.(embed.Loadable); loadable {
		model.meanwhile = s.newServing(l.Meanwhile())
	}
	s.serving.Store(model)
}

func (s *workspaceState) newServing(e embed.Embedder) *servingModel {
	decisionSettings := s.settings
	decisionSettings.Fusion = recall.FusionWeighted
	src := s.uses.Over(s.db)
	return &servingModel{Embedder: e, recaller: recall.New(src, e, s.settings), decisionRecaller: recall.New(src, e, decisionSettings)}
}

// selectModel determines which model serves, and which one it is being changed to.
// configured is nil where it is unavailable; configuredErr has the reason.
func (s *workspaceState) selectModel(ctx context.Context, from Embedders, configured embed.Embedder, configuredErr error, readOnly bool) error {
	name, dim, err := s.db.Model(ctx)
	if err != nil {
		return err
	}
	next := embed.Embedder(nil)
	loadable, isLoadable := configured.(embed.Loadable)
	switch current := s.embedderOf(ctx, name, from, configured); {
	case configured != nil && configured.Model() == name:
		if err = s.abandonModelChange(ctx, readOnly); err == nil {
			err = s.keepMeanwhile(ctx, configured, readOnly)
		}
		s.setServing(configured)
	case configured == nil && current != nil:
		s.setServing(current)
	case configured == nil:
		s.setServing(unavailable{name, max(dim, 1), configuredErr}) // with a dimension, so that queries ask it and get the reason
	case readOnly && current != nil:
		s.setServing(current)
	case readOnly:
		s.setServing(unavailable{name, max(dim, 1), memory.Unavailable(nil, "the index holds vectors of another model")})
	case current == nil || configured.Dim() == 0 || s.hasNoVectors(ctx, name):
		if !isLoadable {
			err = s.replaceModel(ctx, configured)
			break
		}
		// The fast model serves until the other one has embedded everything.
		if err = s.replaceModel(ctx, loadable.Meanwhile()); err == nil {
			err = s.db.StageModel(ctx, configured.Model(), configured.Dim())
			next = configured
		}
	default:
		if err = s.db.StageModel(ctx, configured.Model(), configured.Dim()); err == nil {
			s.setServing(current)
			next = configured
		}
	}
	s.mu.Lock()
	s.nextModel, s.health.embedderErr = next, configuredErr
	if next == nil {
		s.health.modelChangeErr = nil
	}
	s.mu.Unlock()
	return err
}

// replaceModel makes a model serve at once. Its vectors are missing until they are made.
func (s *workspaceState) replaceModel(ctx context.Context, by embed.Embedder) error {
	s.swapMu.Lock()
	defer s.swapMu.Unlock()
	err := s.db.SetModel(ctx, by.Model(), by.Dim())
	if err == nil {
		s.setServing(by)
	}
	return err
}

// embedderOf returns the embedder of the model whose vectors the index holds, or
// nil if it is unavailable.
func (s *workspaceState) embedderOf(ctx context.Context, name string, from Embedders, configured embed.Embedder) embed.Embedder {
	if name == "" {
		return nil
	}
	for _, e := range []embed.Embedder{s.currentEmbedder(), configured} {
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

// currentEmbedder returns the embedder that serves, or nil if it is unavailable.
func (s *workspaceState) currentEmbedder() embed.Embedder {
	if model := s.serving.Load(); model != nil {
		if _, isUnavailable := model.Embedder.(unavailable); !isUnavailable {
			return model.Embedder
		}
	}
	return nil
}

func (s *workspaceState) hasNoVectors(ctx context.Context, model string) bool {
	_, total, err := s.db.StagedProgress(ctx, true)
	if err != nil {
		return false
	}
	pending, err := s.db.PendingCount(ctx, model)
	return err == nil && pending == total
}

func (s *workspaceState) abandonModelChange(ctx context.Context, readOnly bool) error {
	if readOnly {
		return nil
	}
	if err := s.db.StageModel(ctx, "", 0); err != nil {
		return err
	}
	return s.db.DropOldModel(ctx)
}

// RefreshEmbedder asks for the configured embedder again, and starts to change the
// model if another one serves. It is cheap if nothing changed.
func (e *Engine) RefreshEmbedder(ctx context.Context) error {
	configured, configuredErr := e.options().Embedders.Configured(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	errs := []error{configuredErr}
	for _, s := range e.sortedWorkspaces() {
		if s.openErr != nil || s.isDiskFull() || !s.needsSelection(ctx, configured) {
			continue
		}
		errs = append(errs, s.selectModel(ctx, e.options().Embedders, configured, configuredErr, e.options().ReadOnly))
	}
	return errors.Join(errs...)
}

// needsSelection reports whether selectModel could change anything.
func (s *workspaceState) needsSelection(ctx context.Context, configured embed.Embedder) bool {
	s.mu.Lock()
	next, configuredErr := s.nextModel, s.health.embedderErr
	s.mu.Unlock()
	if configured == nil || configuredErr != nil {
		return true
	}
	current := s.serving.Load().Embedder
	if next == nil {
		return current.Model() != configured.Model() || queriesWait(current) != queriesWait(configured)
	}
	// A rebuilt index no longer knows of the change.
	name, _, err := s.db.StagedModel(ctx)
	return err != nil || next.Model() != configured.Model() || name != configured.Model() || queriesWait(next) != queriesWait(configured)
}
