package engine

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// plan is what a command will change, derived from the index.
type plan struct {
	index.Intent
	before    map[memory.ID]memory.Memory // of everything that changes
	after     map[memory.ID]memory.Memory // of the same
	ids       []memory.ID                 // of what changes, in order
	unchanged []memory.UnchangedMemory
}

// command names a command in the audit. undo reverses all rows of one command.
type command struct {
	source string
	batch  string
}

// newCommand returns a command of its own. An empty source is the command line.
func newCommand(source string) command {
	return command{cmp.Or(source, "cli"), uuid.NewString()}
}

// newPlan returns an empty plan of a command of its own.
func newPlan(now time.Time, action memory.Action, source string, only bool) *plan {
	p := newCommand(source).plan(now, action)
	p.Only = only
	return p
}

// plan returns an empty plan, which is a part of the command.
func (c command) plan(now time.Time, action memory.Action) *plan {
	return &plan{Intent: index.Intent{Batch: c.batch, At: now, Action: string(action), Source: c.source},
		before: map[memory.ID]memory.Memory{}, after: map[memory.ID]memory.Memory{}}
}

// planDecision applies the decision to each memory, and to the copies of its text
// where the action covers them.
func (s *workspaceState) planDecision(ctx context.Context, now time.Time, r memory.DecideRequest, ids []memory.ID) (*plan, error) {
	declarations, err := s.db.Declarations(ctx, ids)
	if err != nil {
		return nil, err
	}
	p := newPlan(now, r.Action, r.Source, r.Only)
	d := memory.Decision{Action: r.Action, To: r.Tier, Only: r.Only, At: now.In(s.zone())}
	for _, decl := range declarations {
		if declared, reason := d.ApplyTo(decl.Declarations); reason != "" {
			p.unchanged = append(p.unchanged, memory.UnchangedMemory{ID: decl.Memory.ID, Reason: reason})
		} else {
			p.declare(decl, declared, d)
		}
	}
	if len(p.Items) == 0 || r.Action != memory.ActionForget && r.Action != memory.ActionRestore {
		return p, nil
	}
	if r.Only {
		return p, s.handOverForgetting(ctx, p, d)
	}
	return p, s.extendToCopies(ctx, p, d)
}

// declare adds a memory's new declaration to the plan, and its effect on the
// memory.
func (p *plan) declare(decl index.Declarations, declared memory.Declared, d memory.Decision) {
	m := decl.Memory
	forgets := declared.Forgotten != nil && *declared.Forgotten
	p.Items = append(p.Items, index.IntentItem{ID: m.ID, Before: decl.Own, After: declared, Sidecar: decl.Sidecar, Hide: forgets && !m.Forgotten})
	after := m
	switch d.Action {
	case memory.ActionForget:
		after.Forgotten = true
	case memory.ActionRestore:
		after.Forgotten = false
	case memory.ActionPin, memory.ActionUnpin:
		after.Pinned = declared.Pinned != nil && *declared.Pinned
	}
	if declared.Tier != decl.Own.Tier || !declared.Since.Equal(decl.Own.Since) {
		if declared.Tier != "" {
			after.Tier, after.TierReason = declared.Tier, "declared "+string(declared.Tier)
		}
	}
	p.recordChange(m, after)
}

// recordChange adds a changed memory to the plan, and a row to its audit.
func (p *plan) recordChange(before, after memory.Memory) {
	p.ids = append(p.ids, before.ID)
	p.before[before.ID], p.after[before.ID] = before, after
	row := memory.AuditRow{At: p.At, Action: p.Action, ID: before.ID, Source: p.Source, Batch: p.Batch,
		Old: map[string]any{}, New: map[string]any{}}
	differs := func(word string, was, is any) {
		if was != is {
			row.Old[word], row.New[word] = was, is
		}
	}
	differs("forgotten", before.Forgotten, after.Forgotten)
	differs("pinned", before.Pinned, after.Pinned)
	differs("tier", before.Tier, after.Tier)
	differs("trust_tier", before.Trust, after.Trust)
	differs("superseded_by", idOf(before.SupersededBy), idOf(after.SupersededBy))
	if p.Only {
		row.New["only"] = true
	}
	if n := len(p.Items); n > 0 && p.Items[n-1].ID == before.ID {
		row.Old[declaredKey], row.New[declaredKey] = p.Items[n-1].Before, p.Items[n-1].After
	}
	p.Rows = append(p.Rows, row)
}

// idOf returns an id as the audit has it; none is null.
func idOf(id *memory.ID) any {
	if id == nil {
		return nil
	}
	return string(*id)
}

// declaredKey names, in a row of the audit, the memory's own declaration. Undo
// reads it.
const declaredKey = "said"

// extendToCopies makes forget or restore hold for every copy of the texts.
// Contradicting declarations of copies are removed, and the texts are marked as
// forgotten or no longer marked.
func (s *workspaceState) extendToCopies(ctx context.Context, p *plan, d memory.Decision) error {
	chosen := slices.Clone(p.ids)
	if d.Action == memory.ActionForget {
		p.ForgetTexts = chosen
	} else {
		p.RestoreTexts = chosen
	}
	declarations, err := s.declarationsOfCopies(ctx, chosen)
	if err != nil {
		return err
	}
	for _, decl := range declarations {
		if _, planned := p.before[decl.Memory.ID]; planned {
			continue
		}
		forgets := d.Action == memory.ActionForget
		if declared, reason := d.ApplyTo(decl.Declarations); decl.InDoubt && reason == "" {
			p.declare(decl, declared, d)
			continue
		}
		if decl.Own.Forgotten != nil && *decl.Own.Forgotten != forgets {
			declared := decl.Own
			declared.Forgotten, declared.ForgottenAt, declared.Only = nil, time.Time{}, false
			p.declare(decl, declared, d)
		} else if decl.Memory.Forgotten != forgets {
			after := decl.Memory
			after.Forgotten = forgets
			p.recordChange(decl.Memory, after)
		}
	}
	return nil
}

// declarationsOfCopies returns the declarations of all memories with the same texts
// as these.
func (s *workspaceState) declarationsOfCopies(ctx context.Context, ids []memory.ID) ([]index.Declarations, error) {
	found, err := s.db.Copies(ctx, ids)
	if err != nil {
		return nil, err
	}
	return s.db.Declarations(ctx, found)
}

// handOverForgetting keeps a text forgotten when the memory whose entry forgets
// every copy is restored alone. The entry of another copy forgets the text from
// then on.
func (s *workspaceState) handOverForgetting(ctx context.Context, p *plan, d memory.Decision) error {
	if d.Action != memory.ActionRestore {
		return nil
	}
	for _, item := range slices.Clone(p.Items) {
		if item.Before.Forgotten == nil || !*item.Before.Forgotten || item.Before.Only {
			continue
		}
		declarations, err := s.declarationsOfCopies(ctx, []memory.ID{item.ID})
		if err != nil {
			return err
		}
		for _, decl := range declarations {
			if _, planned := p.before[decl.Memory.ID]; planned || !decl.Memory.Forgotten {
				continue
			}
			if decl.Own.Forgotten == nil || decl.Own.Only {
				declared := decl.Own
				declared.Forgotten, declared.ForgottenAt, declared.Only = item.Before.Forgotten, item.Before.ForgottenAt, false
				p.Items = append(p.Items, index.IntentItem{ID: decl.Memory.ID, Before: decl.Own, After: declared, Sidecar: decl.Sidecar})
			}
			break
		}
	}
	return nil
}
