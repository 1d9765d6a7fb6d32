package service

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/watcher"
)

// watched is a workspace that has a watcher, as it was opened.
type watched struct {
	name    string
	opening int
}

// watchAll runs one watcher for every workspace that is served. It starts and
// stops watchers as workspaces are added, removed, and opened with other settings.
// The end of one watcher never stops another one.
func (s *service) watchAll(ctx context.Context) error {
	var watchers sync.WaitGroup
	running := map[watched]context.CancelFunc{}
	defer func() {
		for _, stop := range running {
			stop()
		}
		watchers.Wait()
	}()
	for {
		names, changed := s.engine.ServedWorkspaces()
		var served []watched
		for _, name := range names {
			w := watched{name, s.engine.Opening(name)}
			served = append(served, w)
			if running[w] == nil {
				watchCtx, stop := context.WithCancel(ctx)
				running[w] = stop
				watchers.Go(func() { s.watch(watchCtx, name) })
			}
		}
		for w, stop := range running {
			if !slices.Contains(served, w) {
				stop()
				delete(running, w)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

// watch indexes a workspace as it changes, until ctx is done. While the folder
// does not exist, the service answers from what was indexed and tries again.
func (s *service) watch(ctx context.Context, name string) {
	const retryAfter = 2 * time.Second // a folder that returns (a mount) is noticed within this time
	log := s.Log.With("workspace", name)
	for logged := false; ctx.Err() == nil; sleep(ctx, retryAfter) {
		tree, err := s.engine.WatchTree(name)
		if err != nil {
			if !logged {
				log.Warn("the folder of the workspace cannot be read; the index still answers", "error", err)
				logged = true
			}
			continue
		}
		logged = false
		w := watcher.New(tree, watcher.Options{SweepInterval: s.SweepInterval})
		s.engine.SetWatchMode(name, w.Mode)
		err = w.Run(ctx, func(ctx context.Context, paths []string, reason string) (bool, error) {
			return s.changed(ctx, name, paths, reason)
		})
		if ctx.Err() == nil {
			log.Warn("watching stopped; it starts again", "error", err)
		}
	}
}

// changed indexes what changed in a workspace, at some paths or anywhere. An error does not end
// the watch: upkeep indexes the workspace again.
func (s *service) changed(ctx context.Context, name string, paths []string, reason string) (changed bool, err error) {
	begin := time.Now()
	changed, err = s.engine.IngestChanges(ctx, name, paths)
	switch {
	case isStopping(ctx, err):
		return false, ctx.Err()
	case errors.Is(err, memory.ErrNotFound): // the workspace was removed
		s.Log.Warn("the changes are not indexed", "workspace", name, "error", err)
	case err != nil:
		if s.unindexed.add(name, err) {
			s.Log.Warn("the changes are not indexed; they are tried again", "workspace", name, "error", err, "retry_in", pendingRounds*s.UpkeepInterval)
		}
	default:
		s.unindexed.forget(name)
		s.Log.Debug("indexed", "workspace", name, "reason", reason, "files", len(paths), "took", time.Since(begin))
		s.requestEmbed()
		s.requestDates()
	}
	return changed, nil
}
