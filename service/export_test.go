package service

import (
	"context"
	"log/slog"

	"github.com/memory-tiered/memory/engine"
)

// Clock is the clock loop without its timer.
type Clock struct{ clock }

// NewClock returns the clock loop of a service that starts now.
func NewClock(e *engine.Engine, log *slog.Logger) *Clock {
	return &Clock{clock{engine: e, log: log, held: map[string]string{}}}
}

// Look runs what is due.
func (c *Clock) Look(ctx context.Context) { c.look(ctx) }
