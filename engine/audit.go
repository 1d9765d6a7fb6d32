package engine

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
)

// Audit lists decisions, newest first.
func (e *Engine) Audit(ctx context.Context, r memory.AuditRequest) (memory.AuditAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err == nil {
		err = lookup.ValidateAudit(r)
	}
	if err != nil {
		return memory.AuditAnswer{}, err
	}
	return s.db.Audit(ctx, r)
}
