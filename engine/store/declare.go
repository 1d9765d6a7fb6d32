package store

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/dailynote"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
)

// declare writes the tier, type and other fields of a stored memory as an
// entry in its file's front matter. The store has its row in the audit then.
func (w Writer) declare(ctx context.Context, now time.Time, m memory.Memory, note dailynote.Appended, r memory.StoreRequest, c plan.Command) (memory.Memory, error) {
	declared := memory.Declared{Tier: r.Tier, Type: r.Type, Category: r.Category, Importance: r.Importance}
	if r.Tier != "" {
		day := now.In(w.Zone)
		declared.Since, declared.SinceDay = time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, day.Location()), true
	}
	if r.Pinned {
		declared.Pinned = &r.Pinned
	}
	if r.Source != memory.SourceFile && r.Source != memory.SourceTool { // a tool's stands beside the text
		declared.Source = r.Source
	}
	if decisions.IsEmptyEntry(declared, w.Zone) {
		return m, w.Audit(ctx, now, m, note, memory.AuditStore, c)
	}
	declarations, err := w.DB.Declarations(ctx, []memory.ID{m.ID})
	if err != nil || len(declarations) == 0 {
		return m, err
	}
	p := c.Plan(now, memory.AuditStore)
	p.Items = []index.IntentItem{{ID: m.ID, Before: declarations[0].Own, After: declared.Over(declarations[0].Own), Sidecar: declarations[0].Sidecar}}
	after := m
	after.Pinned = m.Pinned || r.Pinned
	if r.Tier != "" {
		after.Tier = r.Tier
	}
	p.RecordChange(m, after)
	p.NoteNewFile(note.IsNew, note.NewFolders)
	if _, err := w.Decisions.Commit(ctx, now, p.Intent, func(memory.Progress) {}); err != nil {
		return m, err
	}
	return lookup.Find(ctx, w.DB, string(m.ID))
}

// Audit writes to the audit that a command has stored a memory, so that undo knows
// it. note has the memory, and may be one that the command made.
func (w Writer) Audit(ctx context.Context, now time.Time, m memory.Memory, note dailynote.Appended, action string, c plan.Command) error {
	p := c.Plan(now, memory.Action(action))
	p.RecordChange(m, m)
	p.NoteNewFile(note.IsNew, note.NewFolders)
	return w.DB.Update(ctx, now, func(tx *index.Tx) error { return tx.Audit(p.Rows...) })
}
