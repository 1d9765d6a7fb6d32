package service

import (
	"context"
	"log/slog"
	"time"

	"github.com/memory-tiered/memory/engine"
)

// lookInterval is the time between two looks at the clock: the finest unit of a
// schedule.
const lookInterval = time.Minute

// purgeInterval is often enough for a retention time of months.
const purgeInterval = time.Hour

// clock runs what is due by the time of day. That is sweeps of the ageing policy,
// grading, backups, snapshots, and the removal of memories that have long been missing. It compares
// times once a minute. A timer for the whole wait would stop while the machine
// sleeps, and would not see that the clock is set.
type clock struct {
	engine   *engine.Engine
	log      *slog.Logger
	purgedAt time.Time
	held     map[string]string // by workspace: why its sweeps are held, as logged
}

// clock looks at the clock until ctx is done.
func (s *service) clock(ctx context.Context) error {
	c := clock{engine: s.engine, log: s.Log, held: map[string]string{}}
	for sleep(ctx, lookInterval) {
		c.look(ctx)
	}
	return ctx.Err()
}

// look runs what is due. Each job decides by times that outlast a restart or, for the
// purge, does nothing where nothing is due.
func (c *clock) look(ctx context.Context) {
	now := c.engine.Now().Round(0) // without the monotonic time, which stops in suspend
	c.warn(ctx, "the time is not noted", c.engine.LookAtClock(ctx))
	c.sweep(ctx)
	c.warn(ctx, "memories are not graded; it is tried again in a minute", c.engine.GradeDue(ctx))
	c.warn(ctx, "the backup failed; it is tried again later", c.engine.CheckDue(ctx))
	c.warn(ctx, "the daily snapshot failed; it is tried again later", c.engine.SnapshotDue(ctx))
	if age := now.Sub(c.purgedAt); age < 0 || age >= purgeInterval {
		c.purgedAt = now
		c.warn(ctx, "missing memories are not removed yet", c.engine.PurgeMissing(ctx))
	}
}

// sweep runs the sweeps that are due. It reports a held one once.
func (c *clock) sweep(ctx context.Context) {
	done, err := c.engine.SweepDue(ctx)
	c.warn(ctx, "a sweep failed; it is tried again in a minute", err)
	for _, swept := range done {
		if swept.Held != c.held[swept.Workspace] && swept.Held != "" {
			c.log.Warn("no memory ages: the clock is not believed", "workspace", swept.Workspace, "reason", swept.Held,
				"release", "memory decay run --yes")
		}
		c.held[swept.Workspace] = swept.Held
		if swept.Held == "" {
			c.log.Info("memories aged", "workspace", swept.Workspace, "moves", swept.Moves)
		}
	}
}

func (c *clock) warn(ctx context.Context, message string, err error) {
	if err != nil && ctx.Err() == nil {
		c.log.Warn(message, "error", err)
	}
}
