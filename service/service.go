// Package service runs an engine for years. It locks the state folder for one
// process, watches every workspace, and indexes and embeds the changes. It writes
// the uses, ages memories, makes backups, and stops cleanly. It waits for every
// goroutine that it starts.
package service

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/memory-tiered/memory/engine"
)

// Loop runs as long as the service does, such as the socket server. It returns when
// its context is done.
type Loop func(ctx context.Context) error

// Options configures Run.
type Options struct {
	Log            *slog.Logger
	SweepInterval  time.Duration // the time between two searches for changes that no event reported; 0: a minute
	Loops          []Loop        // run together with the loops of the service
	UpkeepInterval time.Duration // the time between two rounds of upkeep; 0: a second
}

// Run runs the loops until ctx is done or one of them fails, then waits for all
// of them. It returns nil after a clean stop.
func Run(ctx context.Context, e *engine.Engine, o Options) error {
	if o.UpkeepInterval == 0 {
		o.UpkeepInterval = time.Second // the engine keeps a replaced file for two seconds
	}
	s := &service{Options: o, engine: e, embedDue: make(chan struct{}, 1), datesDue: make(chan struct{}, 1)}
	group, ctx := errgroup.WithContext(ctx)
	for _, loop := range append([]Loop{s.watchAll, s.loadIndexes, s.embed, s.findDates, s.switchModel, s.checkModels, s.captureTurns, s.addNative, s.upkeep, s.clock}, o.Loops...) {
		group.Go(func() error { return loop(ctx) })
	}
	err := group.Wait()
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return errors.Join(err, s.finalBackup())
}

// finalBackup makes a backup of the changes since the last one, before the service
// ends. A system that shuts down waits for some 90 seconds; the backup of 100,000
// memories takes well under one.
func (s *service) finalBackup() error {
	const timeout = 30 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return s.engine.Backup(ctx)
}

type service struct {
	Options
	engine    *engine.Engine
	embedDue  chan struct{} // holds a token while a text may lack its vector
	datesDue  chan struct{} // holds a token while a memory may lack its date
	unindexed unindexed
}
