package engine

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/engine/embedding"
)

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
		if l, loadable := s.models.Embedder().(embed.Loadable); loadable {
			errs = append(errs, l.Load(ctx))
		}
	}
	return errors.Join(errs...)
}

// ReleaseModels frees models that nobody has used for the configured time, and those
// that the configuration no longer names. It reports whether there was one.
func (e *Engine) ReleaseModels() (released bool) {
	if idle := e.options().ModelIdle; idle > 0 {
		released = e.releaseModels(idle)
	}
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil && s.models.ReleaseReplaced() {
			released = true
		}
	}
	return released
}

func (e *Engine) releaseModels(idle time.Duration) (released bool) {
	for _, s := range e.sortedWorkspaces() {
		if s.openErr != nil {
			continue
		}
		for _, model := range [...]embed.Embedder{s.models.Embedder(), s.models.NextEmbedder()} {
			if l, loadable := model.(embed.Loadable); loadable && l.ReleaseUnused(idle) {
				released = true
			}
		}
	}
	return released
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
		if s.openErr != nil || s.isDiskFull() || !s.models.NeedsSelection(ctx, configured) {
			continue
		}
		errs = append(errs, s.models.SelectModel(ctx, e.options().Embedders, configured, configuredErr, e.options().ReadOnly))
	}
	return errors.Join(errs...)
}

// EmbedPending embeds what has no vector yet, in every workspace.
func (e *Engine) EmbedPending(ctx context.Context) error {
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil {
			_, err := s.models.EmbedPending(ctx, e.now(), 0, func(memory.Progress) {})
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// ChangeModel continues every model change under way, for about the time limit (0:
// to the end), and reports whether more is to do. An interruption loses no finished
// batch. It also makes the vectors that a loadable model lacks.
func (e *Engine) ChangeModel(ctx context.Context, limit time.Duration, progress func(memory.Progress)) (more bool, err error) {
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr != nil || s.isDiskFull() || e.options().ReadOnly {
			continue
		}
		moreHere, err := s.models.ChangeModel(ctx, limit, e.options().Hold, progress)
		more = more || moreHere
		errs = append(errs, err)
	}
	return more, errors.Join(errs...)
}

// embedWait returns how long a call of Index waits for vectors. within is the time that
// its caller grants.
func (e *Engine) embedWait(within time.Duration) embedding.Wait {
	return embedding.Wait{Within: within, Server: e.options().EmbedWait, Hold: e.options().Hold, IsService: e.daemon != nil}
}
