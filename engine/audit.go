package engine

import (
	"context"

	"github.com/memory-tiered/memory"
)

// Audit lists decisions, newest first.
func (e *Engine) Audit(ctx context.Context, r memory.AuditRequest) (memory.AuditAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.AuditAnswer{}, err
	}
	return s.db.Audit(ctx, r)
}
