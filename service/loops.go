package service

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory/engine"
)

// load reads one workspace after another into memory, while all of them answer
// from their databases; those that come later as they come, and one that could
// not be loaded, or was let go of, again after a while.
func (s *service) load(ctx context.Context) error {
	const again = time.Minute
	for {
		names, changed := s.engine.ServedWorkspaces()
		for _, name := range names {
			begin := time.Now()
			switch err := s.engine.Load(ctx, name); {
			case passing(ctx, err):
				return ctx.Err()
			case err != nil:
				s.Log.Warn("not in memory; the database answers alone", "workspace", name, "error", err, "again_in", again)
			default:
				s.Log.Debug("in memory", "workspace", name, "took", time.Since(begin))
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		case <-time.After(again):
		}
	}
}

// A provider that fails is asked again later, less and less often: a minute at
// most, so that it heals soon after its cause is gone.
const firstPause, longestPause = time.Second, time.Minute

// embed gives vectors to what has none, whenever something was indexed.
func (s *service) embed(ctx context.Context) error {
	wait := firstPause
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.embedDue:
		}
		err := s.engine.EmbedPending(ctx)
		if err == nil || ctx.Err() != nil {
			wait = firstPause
			continue
		}
		s.Log.Warn("embedding failed; keyword search serves alone", "error", err, "again_in", wait)
		if !sleep(ctx, wait) {
			return ctx.Err()
		}
		wait = min(2*wait, longestPause)
		s.wantEmbed()
	}
}

// A change of model is taken up soon after it was configured, goes on in slices,
// and rests as long as it worked, so that half of the machine is left to others.
const (
	changeLook  = 2 * time.Second
	changeSlice = time.Second
)

// change follows which embedder is wanted, and changes to it in the background.
func (s *service) change(ctx context.Context) error {
	for wait, failing := time.Duration(0), firstPause; sleep(ctx, wait); {
		begin := time.Now()
		err := s.engine.RefreshEmbedder(ctx)
		more, changing := s.engine.ChangeModel(ctx, changeSlice, nil)
		err = errors.Join(err, changing)
		switch wait = changeLook; {
		case ctx.Err() != nil:
		case err != nil:
			s.Log.Warn("the embedding model is not changed; the former one serves", "error", err, "again_in", failing)
			wait, failing = failing, min(2*failing, longestPause)
			continue
		case more:
			wait = time.Since(begin)
		}
		if failing > firstPause {
			s.wantEmbed() // what failed has healed; there may be texts that waited for it
		}
		failing = firstPause
	}
	return ctx.Err()
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
	for sleep(ctx, s.UpkeepInterval) {
		if err := s.engine.FlushUses(ctx); err != nil && ctx.Err() == nil {
			s.Log.Warn("uses not written yet", "error", err)
		}
		if err := s.engine.DrainAppends(ctx); err != nil {
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
		if err := s.engine.PurgeMissing(ctx); err != nil && ctx.Err() == nil {
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
