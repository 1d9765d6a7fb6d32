// Package service runs an engine for years: one process owns a state folder (a
// lock), every workspace is watched, what changed is indexed and embedded, what
// was used is written down, and it all stops cleanly. Every goroutine it starts
// it waits for.
package service

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/memory-tiered/memory/engine"
)

// Loop is something that runs as long as the service does, such as the socket
// server. It returns when its context is done.
type Loop func(ctx context.Context) error

// Options says how an engine is run.
type Options struct {
	Log            *slog.Logger
	SweepInterval  time.Duration // how often to look for changes that no event told of
	Loops          []Loop        // what else runs beside the service's own loops
	UpkeepInterval time.Duration // how often uses are written and replaced files looked after; 0: every second
}

// Run runs the loops until ctx is done or one of them fails, then waits for all
// of them. It returns nil after a clean stop.
func Run(ctx context.Context, e *engine.Engine, o Options) error {
	if o.UpkeepInterval == 0 {
		o.UpkeepInterval = time.Second // a replaced file is held for two
	}
	s := &service{Options: o, engine: e, embedDue: make(chan struct{}, 1)}
	group, ctx := errgroup.WithContext(ctx)
	for _, loop := range append([]Loop{s.watchAll, s.load, s.embed, s.change, s.keep, s.backup, s.tidy}, o.Loops...) {
		group.Go(func() error { return loop(ctx) })
	}
	err := group.Wait()
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return errors.Join(err, s.lastBackup())
}

// lastBackup copies what changed since the last one before the service ends. A
// system that shuts down waits for some 90 seconds; this takes well under one
// for 100,000 memories.
func (s *service) lastBackup() error {
	const patience = 30 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return s.engine.Backup(ctx)
}

type service struct {
	Options
	engine   *engine.Engine
	embedDue chan struct{} // holds a token while something may lack a vector
}
