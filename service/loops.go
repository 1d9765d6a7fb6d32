package service

import (
	"context"
	"errors"
	"time"
)

// loadIndexes loads the index of every workspace into memory, one after the other.
// A workspace answers from its database until then. New workspaces are loaded when
// they are added. A workspace that could not be loaded, or whose index was dropped,
// is loaded again after retryInterval.
func (s *service) loadIndexes(ctx context.Context) error {
	const retryInterval = time.Minute
	for {
		names, changed := s.engine.ServedWorkspaces()
		for _, name := range names {
			begin := time.Now()
			switch err := s.engine.Load(ctx, name); {
			case isStopping(ctx, err):
				return ctx.Err()
			case err != nil:
				s.Log.Warn("the index is not in memory; the database answers", "workspace", name, "error", err, "retry_in", retryInterval)
			default:
				s.Log.Debug("index loaded into memory", "workspace", name, "took", time.Since(begin))
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		case <-time.After(retryInterval):
		}
	}
}

// A provider that fails is asked again after a pause that doubles, up to a minute:
// the service recovers soon after the cause is gone.
const minRetry, maxRetry = time.Second, time.Minute

// embed makes the missing vectors whenever something was indexed.
func (s *service) embed(ctx context.Context) error {
	wait := minRetry
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.embedDue:
		}
		err := s.engine.EmbedPending(ctx)
		if err == nil || ctx.Err() != nil {
			wait = minRetry
			continue
		}
		s.Log.Warn("embedding failed; only keyword search finds the new texts", "error", err, "retry_in", wait)
		if !sleep(ctx, wait) {
			return ctx.Err()
		}
		wait = min(2*wait, maxRetry)
		s.requestEmbed()
	}
}

// The switch to another model starts soon after its configuration. It works in slices. A
// pause after each one takes a quarter of its time. So a model without a low priority leaves
// the processor to others now and then.
const (
	modelPollInterval = 2 * time.Second
	modelSwitchSlice  = time.Second
	slicesPerPause    = 4
)

// switchModel follows the configured embedder, and switches to it in the background. It
// also makes what a model lacks.
func (s *service) switchModel(ctx context.Context) error {
	for wait, retry := time.Duration(0), minRetry; sleep(ctx, wait); {
		begin := time.Now()
		err := s.engine.RefreshEmbedder(ctx)
		more, switchErr := s.engine.ChangeModel(ctx, modelSwitchSlice, nil)
		err = errors.Join(err, switchErr)
		switch wait = modelPollInterval; {
		case ctx.Err() != nil:
		case err != nil:
			s.Log.Warn("the embedding model is not switched; the old one answers", "error", err, "retry_in", retry)
			wait, retry = retry, min(2*retry, maxRetry)
			continue
		case more:
			wait = time.Since(begin) / slicesPerPause
		}
		if retry > minRetry {
			s.requestEmbed() // the model works again, and texts may be waiting for it
		}
		retry = minRetry
	}
	return ctx.Err()
}

// checkModels checks the embedding models every minute, if that is due. The first check is a
// minute after the start, when the work of the start is done.
func (s *service) checkModels(ctx context.Context) error {
	for sleep(ctx, lookInterval) {
		changed, err := s.engine.CheckModels(ctx)
		if err != nil && ctx.Err() == nil {
			s.Log.Warn("the embedding model is not checked; it is tried again", "error", err, "retry_in", lookInterval)
		}
		for _, notice := range changed {
			s.Log.Warn("the check of the embedding model", "result", notice)
			s.requestEmbed()
		}
	}
	return ctx.Err()
}

func (s *service) requestEmbed() {
	select {
	case s.embedDue <- struct{}{}:
	default: // already requested
	}
}

// upkeep writes the uses of memories every ten seconds. It also carries over
// text that another process appends to a file after the engine has replaced it. It
// rebuilds a database that is damaged or was removed, and indexes changes that could
// not be indexed. It wakes up once a second, also when the service is idle.
func (s *service) upkeep(ctx context.Context) error {
	var garbage garbageLimit
	for round := 0; sleep(ctx, s.UpkeepInterval); round++ {
		garbage.adjust()
		if err := s.engine.DrainAppends(ctx); err != nil {
			s.Log.Error("text that was appended to a replaced file is not carried over", "error", err)
		}
		s.repair(ctx)
		if round%pendingRounds == 0 {
			s.writeUses(ctx)
			s.writePending(ctx)
			s.indexAgain(ctx)
		}
		if round%sessionRounds == 0 {
			if err := s.engine.DropSessions(); err != nil {
				s.Log.Warn("old sessions of agents are kept", "error", err)
			}
		}
	}
	// Close of the engine writes the last uses.
	return ctx.Err()
}

// captureTurns captures the turns of agents after they have ended, so that no agent waits.
func (s *service) captureTurns(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.engine.TurnsDue():
		}
		if err := s.engine.CaptureTurns(ctx); err != nil && ctx.Err() == nil {
			s.Log.Warn("a turn of an agent is not captured", "error", err)
		}
	}
}

// pendingRounds is the number of rounds of upkeep between two attempts to write
// pending decisions, and to index what could not be indexed: ten seconds. Each attempt
// reads the files concerned.
const pendingRounds = 10

// sessionRounds is the number of rounds of upkeep between two looks for old sessions of
// agents: an hour.
const sessionRounds = 3600

// writeUses writes the uses of memories since its last call. A kill loses them.
func (s *service) writeUses(ctx context.Context) {
	if err := s.engine.FlushUses(ctx); err != nil && ctx.Err() == nil {
		s.Log.Warn("uses are not written yet; they are tried again", "error", err)
	}
}

// writePending writes decisions into files that could not be written before.
func (s *service) writePending(ctx context.Context) {
	written, err := s.engine.WritePending(ctx)
	if err != nil && ctx.Err() == nil {
		s.Log.Warn("decisions are kept in the index only; they are tried again", "error", err)
	}
	if written > 0 {
		s.Log.Info("decisions were written into files that could not be written before", "memories", written)
	}
}

// repair rebuilds the databases that need it.
func (s *service) repair(ctx context.Context) {
	notices, err := s.engine.Repair(ctx)
	if err != nil && ctx.Err() == nil {
		s.Log.Error("an index is not repaired yet; it is tried again", "error", err)
	}
	for _, notice := range notices {
		s.Log.Warn("an index was opened again", "notice", notice)
		s.requestEmbed()
	}
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

// isStopping reports whether an error only means that the service stops.
func isStopping(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, context.Canceled)
}

// nativeInterval is the time between two looks for new memories of agents' clients.
const nativeInterval = time.Minute

// addNative registers the memories that agents' clients keep in new folders.
func (s *service) addNative(ctx context.Context) error {
	for wait := time.Duration(0); sleep(ctx, wait); wait = nativeInterval {
		added, err := s.engine.AddNative(ctx)
		for _, w := range added {
			s.Log.Info("registered the memory of an agent's client", "client", w.Client, "workspace", w.Name, "path", w.Path)
		}
		if err != nil && ctx.Err() == nil {
			s.Log.Warn("new memories of agents' clients are not registered", "error", err, "retry_in", nativeInterval)
		}
	}
	return ctx.Err()
}
