package engine

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/embedding"
)

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

// CheckModels checks the models that answer, where that is due. Where a check fails, keyword
// search answers alone until it succeeds. changed has a line for each difference.
func (e *Engine) CheckModels(ctx context.Context) (changed []string, err error) {
	check := embedding.GoldenOnce()
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil && !s.isDiskFull() {
			notice, checkErr := s.models.CheckDue(ctx, e.now(), check)
			if err = errors.Join(err, checkErr); notice != "" {
				changed = append(changed, s.Name+": "+notice)
			}
		}
	}
	return changed, err
}

// ChangeModel continues every model change under way, for about the time limit (0:
// to the end), and reports whether more is to do. An interruption loses no finished
// batch. It also makes the vectors that a gradual model lacks.
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
