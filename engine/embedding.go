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
	return errors.Join(configuredErr, each(e.writableWorkspaces(), func(s *workspaceState) error {
		if !s.models.NeedsSelection(configured) {
			return nil
		}
		return s.models.SelectModel(ctx, e.options().Embedders, configured, configuredErr, false)
	}))
}

// EmbedPending embeds what has no vector yet, in every workspace.
func (e *Engine) EmbedPending(ctx context.Context) error {
	return each(e.openWorkspaces(), func(s *workspaceState) error {
		_, err := s.models.EmbedPending(ctx, e.now(), 0, func(memory.Progress) {})
		return err
	})
}

// CheckModels checks the models that answer, where that is due. Where a check fails, keyword
// search answers alone until it succeeds. changed has a line for each difference.
func (e *Engine) CheckModels(ctx context.Context) (changed []string, err error) {
	check := embedding.GoldenOnce()
	err = each(e.writableWorkspaces(), func(s *workspaceState) error {
		notice, err := s.models.CheckDue(ctx, e.now(), check)
		if notice != "" {
			changed = append(changed, s.Name+": "+notice)
		}
		return err
	})
	return changed, err
}

// ChangeModel continues every model change under way, for about the time limit (0:
// to the end), and reports whether more is to do. An interruption loses no finished
// batch. It also makes the vectors that a gradual model lacks.
func (e *Engine) ChangeModel(ctx context.Context, limit time.Duration, progress func(memory.Progress)) (more bool, err error) {
	err = each(e.writableWorkspaces(), func(s *workspaceState) error {
		moreHere, err := s.models.ChangeModel(ctx, limit, e.options().Hold, progress)
		more = more || moreHere
		return err
	})
	return more, err
}

// embedWait returns how long a call of Index waits for vectors. within is the time that
// its caller grants.
func (e *Engine) embedWait(within time.Duration) embedding.Wait {
	return embedding.Wait{Within: within, Server: e.options().EmbedWait, Hold: e.options().Hold, IsService: e.daemon != nil}
}
