package engine

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// declareStored says of a memory that was just stored what its storing said of it, on
// a line of its file's front matter.
func (s *workspaceState) declareStored(ctx context.Context, now time.Time, m memory.Memory, r memory.StoreRequest) (memory.Memory, error) {
	said := memory.Declared{Tier: r.Tier, Type: r.Type, Category: r.Category, Importance: r.Importance}
	if r.Tier != "" {
		day := now.In(zoneOf(s))
		said.Since, said.SinceDay = time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, day.Location()), true
	}
	if r.Pinned {
		said.Pinned = &r.Pinned
	}
	if r.Source != memory.SourceFile {
		said.Source = r.Source
	}
	if isEmptyEntry(said, s.Zone) {
		return m, nil
	}
	stances, err := s.db.Declarations(ctx, []memory.ID{m.ID})
	if err != nil || len(stances) == 0 {
		return m, err
	}
	p := newPlan(now, "store", auditSource(r.Source), false)
	p.Items = []index.IntentItem{{ID: m.ID, Before: stances[0].Own, After: said.Over(stances[0].Own), Sidecar: stances[0].Sidecar}}
	after := m
	after.Pinned = m.Pinned || r.Pinned
	if r.Tier != "" {
		after.Tier = r.Tier
	}
	p.recordChange(m, after)
	if _, err := s.commit(ctx, now, p, func(memory.Progress) {}); err != nil {
		return m, err
	}
	return s.findMemory(ctx, string(m.ID))
}

// auditSource is who stored, as the audit names them.
func auditSource(source memory.Source) string {
	switch source {
	case memory.SourceTool:
		return "tool"
	case memory.SourceAutoCapture:
		return "capture"
	}
	return "cli"
}

// forgottenTextError says that a text may not be stored, because somebody wanted it
// forgotten.
func forgottenTextError(m memory.Memory) error {
	return memory.Conflict("this text is forgotten: %s", m.ID.Short()).
		WithHint("memory restore %s brings it back", m.ID.Short())
}
