package engine

import (
	"context"

	"github.com/memory-tiered/memory"
)

// Hook returns what the hook of an agent's client prints. The end of a turn is captured
// later, by CaptureTurns.
func (e *Engine) Hook(ctx context.Context, r memory.HookRequest) (memory.HookAnswer, error) {
	return e.hooks.Answer(ctx, r)
}

// TurnsDue receives when turns of agents have ended. CaptureTurns then captures them.
func (e *Engine) TurnsDue() <-chan struct{} { return e.hooks.Due() }

// CaptureTurns keeps what is worth keeping of the turns that have ended since the last call.
func (e *Engine) CaptureTurns(ctx context.Context) error { return e.hooks.CaptureTurns(ctx) }

// DropSessions forgets what old sessions of agents have got.
func (e *Engine) DropSessions() error { return e.hooks.Drop() }
