package engine

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/ageing"
	"github.com/memory-tiered/memory/engine/audience"
	"github.com/memory-tiered/memory/engine/compaction"
	"github.com/memory-tiered/memory/engine/dailynote"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/store"
)

// compact archives the COLD memories that the compactor finds superfluous. All are one
// command, which undo reverses.
func (e *Engine) compact(ctx context.Context, s *workspaceState, now time.Time, preview bool) (memory.DecayAnswer, error) {
	found, err := compaction.Find(ctx, s.db, s.extensions.Compactor, now)
	if err != nil {
		return memory.DecayAnswer{}, err
	}
	a := memory.DecayAnswer{Preview: preview}
	var ids []string
	var stored []memory.Memory
	for _, c := range found {
		kept := c.Keep
		if kept == "" && !preview {
			m, isNew, err := s.storeSummary(ctx, now, e.authorNamed(c.Memories[0].User, c.Memories[0].Scope), c)
			if err != nil {
				return memory.DecayAnswer{}, err
			}
			if kept = m.ID; isNew {
				stored = append(stored, m)
			}
		}
		for _, id := range c.Replaced {
			ids = append(ids, string(id))
			ageing.AddMove(&a, memory.TierMove{ID: id, From: memory.TierCold, To: memory.TierArchive, Reason: c.Reason(kept), By: kept})
		}
	}
	if len(ids) == 0 {
		return a, nil
	}
	decided, err := e.Decide(ctx, memory.DecideRequest{Action: memory.ActionArchive, Workspace: s.Name, IDs: ids, Preview: preview})
	a.Batch = decided.Batch
	for _, m := range stored {
		if err == nil {
			err = s.store.Audit(ctx, now, m, dailynote.Appended{}, memory.AuditStore, plan.Command{Source: "cli", Batch: decided.Batch})
		}
	}
	return a, err
}

// storeSummary stores a text in the place of memories, unless a memory has it already.
func (s *workspaceState) storeSummary(ctx context.Context, now time.Time, by audience.Author, c compaction.Compaction) (m memory.Memory, isNew bool, err error) {
	text, err := store.Validate(memory.StoreRequest{Text: c.Text})
	if err != nil {
		return m, false, err
	}
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return m, false, err
	}
	defer unlock()
	a := dailynote.NewAnnotation(c.Declared(by.User, by.Scope), memory.SourceTool, by)
	return s.store.StoreCaptured(ctx, now, by, text, a)
}
