package service

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory/engine"
)

// embed gives vectors to what has none, whenever something was indexed. A
// provider that fails is asked again later, less and less often.
func (s *service) embed(ctx context.Context) error {
	const first, longest = time.Second, 5 * time.Minute
	wait := first
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.embedDue:
		}
		err := s.engine.EmbedPending(ctx)
		if err == nil || ctx.Err() != nil {
			wait = first
			continue
		}
		s.Log.Warn("embedding failed; keyword search serves alone", "error", err, "again_in", wait)
		if !sleep(ctx, wait) {
			return ctx.Err()
		}
		wait = min(2*wait, longest)
		s.wantEmbed()
	}
}

func (s *service) wantEmbed() {
	select {
	case s.embedDue <- struct{}{}:
	default: // it is wanted already
	}
}

// keep writes down what was used, soon after it was, and looks after files that
// were replaced a moment ago: what somebody was still appending to them is
// carried over. One waking a second is all that an idle service does.
func (s *service) keep(ctx context.Context) error {
	for sleep(ctx, s.Keep) {
		if err := s.engine.Flush(ctx); err != nil && ctx.Err() == nil {
			s.Log.Warn("uses not written yet", "error", err)
		}
		if err := s.engine.Drain(ctx); err != nil {
			s.Log.Error("a file was written to while it was replaced", "error", err)
		}
	}
	// The last uses are written by the engine's Close.
	return ctx.Err()
}

// tidy purges what has been gone for long enough. An hour sooner or later makes
// no difference to what is kept for months.
func (s *service) tidy(ctx context.Context) error {
	for sleep(ctx, time.Hour) {
		if err := s.engine.Tidy(ctx); err != nil && ctx.Err() == nil {
			s.Log.Warn("missing memories are not purged yet", "error", err)
		}
	}
	return ctx.Err()
}

// backup copies the indexes now and then; lastBackup does once more at the end.
func (s *service) backup(ctx context.Context) error {
	for sleep(ctx, engine.BackupEvery) {
		if err := s.engine.Backup(ctx); err != nil && ctx.Err() == nil {
			s.Log.Warn("no backup made; the next one is tried later", "error", err, "again_in", engine.BackupEvery)
		}
	}
	return ctx.Err()
}

func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// passing says whether an error is only that the service stops.
func passing(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, context.Canceled)
}
