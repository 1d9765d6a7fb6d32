package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
)

// auditStored writes to the audit that a command has stored a memory, so that undo knows
// it. isNewFile tells that the command made the memory's file.
func (s *workspaceState) auditStored(ctx context.Context, now time.Time, m memory.Memory, isNewFile bool, action string, c plan.Command) error {
	p := c.Plan(now, memory.Action(action))
	p.RecordChange(m, m)
	p.NoteNewFile(isNewFile)
	return s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.Audit(p.Rows...) })
}

// capturedNotices reports what was captured after a command that is undone. A person
// did not ask for it, so undo leaves it.
func (s *workspaceState) capturedNotices(ctx context.Context, batch string) (notices []string, err error) {
	ids, err := s.db.CapturedAfter(ctx, batch)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return []string{fmt.Sprintf("undo leaves what was captured from conversations since then: %s; memory forget ID hides one", lookup.ShortIDs(ids))}, nil
}
