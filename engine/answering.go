package engine

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/recall"
)

// queriesWait reports whether queries wait until a model is loaded.
func queriesWait(e embed.Embedder) bool {
	l, loadable := e.(embed.Loadable)
	return loadable && l.QueriesWait()
}

// answering returns the model that answers a query now. While the serving model is not
// loaded, or lacks the vector of a text, another one answers that has all vectors.
func (s *workspaceState) answering(ctx context.Context) *servingModel {
	model := s.serving.Load()
	l, loadable := model.Embedder.(embed.Loadable)
	if !loadable {
		return model
	}
	if !l.Loaded() {
		if s.isServed || !l.QueriesWait() {
			s.requestModel()
			return model.meanwhile
		}
		if loadForQuestion(ctx, l) != nil { // status has the reason
			return model.meanwhile
		}
	}
	if complete, err := s.db.HasAllVectors(ctx, model.Model()); err != nil || !complete {
		return model.meanwhile
	}
	return model
}

// loadWait is how long the questions of a command wait for a model, together. Loading
// takes a second or two; one that takes longer goes on in the background.
const loadWait = 5 * time.Second

func loadForQuestion(ctx context.Context, l embed.Loadable) error {
	ctx, cancel := context.WithTimeout(ctx, loadWait-l.Loading())
	defer cancel()
	return l.Load(ctx)
}

// requestModel asks the service to load the model.
func (s *workspaceState) requestModel() {
	select {
	case s.modelWanted <- struct{}{}:
	default: // already requested
	}
}

// recaller returns the recaller of the model that answers now.
func (s *workspaceState) recaller(ctx context.Context) *recall.Recaller {
	return s.answering(ctx).recaller
}

// decisionRecaller is [workspaceState.recaller] for decisions.
func (s *workspaceState) decisionRecaller(ctx context.Context) *recall.Recaller {
	return s.answering(ctx).decisionRecaller
}

// recallSettings returns the current settings of recall.
func (s *workspaceState) recallSettings() recall.Settings {
	return s.serving.Load().recaller.Settings()
}

// withModel runs a query. It runs it again if the model was replaced meanwhile, or if the
// model failed.
func (s *workspaceState) withModel(ctx context.Context, run func(*recall.Recaller) error) error {
	for {
		serving, model := s.serving.Load(), s.answering(ctx)
		err := run(model.recaller)
		s.swapMu.RLock() // waits for a replacement under way, which takes a moment
		same := s.serving.Load() == serving
		s.swapMu.RUnlock()
		if l, loadable := model.Embedder.(embed.Loadable); loadable && l.Failure() != nil && !l.Loaded() && ctx.Err() == nil {
			continue
		}
		if same {
			return err
		}
	}
}

// ModelWanted returns the channel on which a query asks for a model that is not loaded.
// Package service then calls LoadModels.
func (e *Engine) ModelWanted() <-chan struct{} { return e.modelWanted }

// LoadModels loads the models of all workspaces.
func (e *Engine) LoadModels(ctx context.Context) error {
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr != nil {
			continue
		}
		if l, loadable := s.serving.Load().Embedder.(embed.Loadable); loadable {
			errs = append(errs, l.Load(ctx))
		}
	}
	return errors.Join(errs...)
}

// ReleaseModels frees models that nobody has used for the configured time, and reports
// whether there was one.
func (e *Engine) ReleaseModels() bool {
	idle := e.options().ModelIdle
	return idle > 0 && e.releaseModels(idle)
}

func (e *Engine) releaseModels(idle time.Duration) (released bool) {
	for _, s := range e.sortedWorkspaces() {
		if s.openErr != nil {
			continue
		}
		s.mu.Lock()
		next := s.nextModel
		s.mu.Unlock()
		for _, model := range [...]embed.Embedder{s.serving.Load().Embedder, next} {
			if l, loadable := model.(embed.Loadable); loadable && l.ReleaseUnused(idle) {
				released = true
			}
		}
	}
	return released
}
