package service

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/watcher"
)

// watchAll keeps one watcher running for every workspace that is served, and
// starts and stops them as workspaces come and go.
func (s *service) watchAll(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	running := map[string]context.CancelFunc{}
	defer func() {
		for _, stop := range running {
			stop()
		}
		_ = group.Wait() // watchers end with nothing but their context's error
	}()
	for {
		names, changed := s.engine.ServedWorkspaces()
		served := map[string]bool{}
		for _, name := range names {
			served[name] = true
			if running[name] == nil {
				watchCtx, stop := context.WithCancel(ctx)
				running[name] = stop
				group.Go(func() error { return s.watch(watchCtx, name) })
			}
		}
		for name, stop := range running {
			if !served[name] {
				stop()
				delete(running, name)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

// watch indexes a workspace as it changes. A folder that is not there is waited
// for; what was indexed of it is served meanwhile.
func (s *service) watch(ctx context.Context, name string) error {
	const again = 2 * time.Second // a folder that comes back (a mount) is seen within this
	log := s.Log.With("workspace", name)
	for told := false; ctx.Err() == nil; {
		tree, err := s.engine.WatchTree(name)
		if err != nil {
			if !told {
				log.Warn("the workspace's folder cannot be read; what was indexed is served", "error", err)
				told = true
			}
			sleep(ctx, again)
			continue
		}
		told = false
		w := watcher.New(tree, watcher.Options{Sweep: s.SweepInterval})
		s.engine.SetWatchMode(name, w.Mode)
		err = w.Run(ctx, func(ctx context.Context, hint watcher.Hint) error { return s.changed(ctx, name, hint) })
		if passing(ctx, err) {
			break
		}
		log.Warn("watching stopped; starting again", "error", err)
		sleep(ctx, again)
	}
	return ctx.Err()
}

// changed indexes what a hint names. What fails now is found again by the next
// hint or sweep, so no failure ends the watch.
func (s *service) changed(ctx context.Context, name string, hint watcher.Hint) error {
	paths := hint.Paths
	if hint.All {
		paths = nil
	}
	begin := time.Now()
	err := s.engine.IngestChanges(ctx, name, paths)
	switch {
	case passing(ctx, err):
		return ctx.Err()
	case errors.Is(err, memory.ErrUnavailable):
		s.Log.Warn("not indexed; the next look tries again", "workspace", name, "error", err)
	case err != nil:
		s.Log.Error("not indexed; the next look tries again", "workspace", name, "error", err)
	default:
		s.Log.Debug("indexed", "workspace", name, "all", hint.All, "paths", len(paths), "reason", hint.Reason, "took", time.Since(begin))
		s.wantEmbed()
	}
	return nil
}
