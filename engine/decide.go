package engine

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// Decide carries out one action about memories. Its answer comes when what was
// decided is in the files, synced, and holds for every reader.
func (e *Engine) Decide(ctx context.Context, r memory.DecideRequest) (memory.DecideAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err == nil {
		err = validateDecide(r)
	}
	if err == nil && !r.Preview {
		err = e.refuseWhenReadOnly()
	}
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	defer unlock()
	now := e.now()
	if !r.Preview {
		if err := s.finishIntents(ctx, now, true); err != nil {
			return memory.DecideAnswer{}, err
		}
	}
	a, err := e.decide(ctx, s, now, r)
	if err == nil && !r.Preview {
		a.Notices = append(a.Notices, s.relocateEntries(ctx, now)...)
	}
	return a, err
}

func (e *Engine) decide(ctx context.Context, s *workspaceState, now time.Time, r memory.DecideRequest) (memory.DecideAnswer, error) {
	if r.Action == memory.ActionUndo {
		return s.undo(ctx, now, r)
	}
	ids, err := e.selectMemories(ctx, s, now, r)
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	if !r.Preview {
		if err := s.refresh(ctx, now, r.Action, ids); err != nil {
			return memory.DecideAnswer{}, err
		}
	}
	if r.Action == memory.ActionDestroy {
		return e.destroy(ctx, s, now, r, ids)
	}
	p, err := s.planDecision(ctx, now, r, ids)
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	return s.applyPlan(ctx, now, p, r)
}

func progressFunc(r memory.DecideRequest) func(memory.Progress) {
	if r.Progress == nil {
		return func(memory.Progress) {}
	}
	return r.Progress
}

func validateDecide(r memory.DecideRequest) error {
	moves := r.Action == memory.ActionPromote || r.Action == memory.ActionDemote
	switch {
	case r.Action == "":
		return memory.Invalid("action", "no action is named").WithHint("one of: forget, restore, pin, unpin, promote, demote, archive, destroy, undo")
	case r.Tier != "" && !moves:
		return memory.Invalid("tier", "%s takes no tier", r.Action).WithHint("promote and demote do")
	case r.Only && r.Action == memory.ActionDestroy:
		return memory.Invalid("only", "destroy takes every copy of a text").WithHint("forget and restore take only")
	case r.Only && r.Action != memory.ActionForget && r.Action != memory.ActionRestore:
		return memory.Invalid("only", "%s is about single memories anyway", r.Action).WithHint("forget and restore take only")
	case !slices.Contains([]string{"", "cli", "tool", "agent"}, r.Source):
		return memory.Invalid("source", "unknown source %q", r.Source).WithHint("one of: cli, tool, agent")
	case (r.Missing || r.Confirm) && r.Action != memory.ActionDestroy:
		return memory.Invalid(either(r.Missing, "missing", "confirm"), "only destroy is about what is missing, and needs to be confirmed").
			WithHint("leave it out")
	case r.Action == memory.ActionDestroy && !r.Confirm && !r.Preview:
		return memory.Invalid("confirm", "destroying cannot be undone, and was not confirmed").
			WithHint("look first with preview, then say confirm; memory forget is what can be undone")
	case r.Count != 0 && r.Action != memory.ActionUndo, r.Count < 0:
		return memory.Invalid("count", "a count of %d makes no sense here", r.Count).WithHint("undo takes one, from 1")
	case r.Action == memory.ActionUndo && (len(r.IDs) > 0 || r.Query != "" || r.Filter != nil):
		return memory.Invalid("ids", "undo takes back whole commands").WithHint("memory undo 2 takes back the last two")
	}
	return nil
}

func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// plan is what a command is going to change, worked out from the index.
type plan struct {
	index.Intent
	before    map[memory.ID]memory.Memory // of everything that changes
	after     map[memory.ID]memory.Memory // as it is going to be
	ids       []memory.ID                 // of what changes
	unchanged []memory.UnchangedMemory
}

func newPlan(now time.Time, action memory.Action, source string, only bool) *plan {
	if source == "" {
		source = "cli"
	}
	return &plan{Intent: index.Intent{Batch: uuid.NewString(), At: now, Action: string(action), Source: source, Only: only},
		before: map[memory.ID]memory.Memory{}, after: map[memory.ID]memory.Memory{}}
}

// planDecision applies the decision to each memory, and to the copies that it covers.
func (s *workspaceState) planDecision(ctx context.Context, now time.Time, r memory.DecideRequest, ids []memory.ID) (*plan, error) {
	stances, err := s.db.Declarations(ctx, ids)
	if err != nil {
		return nil, err
	}
	p := newPlan(now, r.Action, r.Source, r.Only)
	d := memory.Decision{Action: r.Action, To: r.Tier, Only: r.Only, At: now.In(zoneOf(s))}
	for _, st := range stances {
		if said, reason := d.ApplyTo(st.Declarations); reason != "" {
			p.unchanged = append(p.unchanged, memory.UnchangedMemory{ID: st.Memory.ID, Reason: reason})
		} else {
			p.declare(st, said, d)
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

func zoneOf(s *workspaceState) *time.Location {
	if s.Zone == nil {
		return time.UTC
	}
	return s.Zone
}

// declare notes what is to be said of a memory, and what that makes of it.
func (p *plan) declare(st index.Declarations, said memory.Declared, d memory.Decision) {
	m := st.Memory
	forgets := said.Forgotten != nil && *said.Forgotten
	p.Items = append(p.Items, index.IntentItem{ID: m.ID, Before: st.Own, After: said, Sidecar: st.Sidecar, Hide: forgets && !m.Forgotten})
	after := m
	switch d.Action {
	case memory.ActionForget:
		after.Forgotten = true
	case memory.ActionRestore:
		after.Forgotten = false
	case memory.ActionPin, memory.ActionUnpin:
		after.Pinned = said.Pinned != nil && *said.Pinned
	}
	if said.Tier != st.Own.Tier || !said.Since.Equal(st.Own.Since) {
		if said.Tier != "" {
			after.Tier, after.TierReason = said.Tier, "declared "+string(said.Tier)
		}
	}
	p.recordChange(m, after)
}

// recordChange notes what becomes of a memory, for the answer and for the audit.
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
	if p.Only {
		row.New["only"] = true
	}
	if n := len(p.Items); n > 0 && p.Items[n-1].ID == before.ID {
		row.Old[declaredKey], row.New[declaredKey] = p.Items[n-1].Before, p.Items[n-1].After
	}
	p.Rows = append(p.Rows, row)
}

// declaredKey is what was said of a memory alone, in the audit: undo goes by it.
const declaredKey = "said"

// extendToCopies lets a forgetting or restoring hold for every copy of the texts:
// what copies say against it goes, and the texts are marked or no more so.
func (s *workspaceState) extendToCopies(ctx context.Context, p *plan, d memory.Decision) error {
	chosen := slices.Clone(p.ids)
	if d.Action == memory.ActionForget {
		p.ForgetTexts = chosen
	} else {
		p.RestoreTexts = chosen
	}
	stances, err := s.declarationsOfCopies(ctx, chosen)
	if err != nil {
		return err
	}
	for _, st := range stances {
		if _, planned := p.before[st.Memory.ID]; planned {
			continue
		}
		forgets := d.Action == memory.ActionForget
		if st.Own.Forgotten != nil && *st.Own.Forgotten != forgets {
			said := st.Own
			said.Forgotten, said.ForgottenAt, said.Only = nil, time.Time{}, false
			p.declare(st, said, d)
		} else if st.Memory.Forgotten != forgets {
			after := st.Memory
			after.Forgotten = forgets
			p.recordChange(st.Memory, after)
		}
	}
	return nil
}

// declarationsOfCopies are all memories with the texts of these.
func (s *workspaceState) declarationsOfCopies(ctx context.Context, ids []memory.ID) ([]index.Declarations, error) {
	found, err := s.db.Copies(ctx, ids)
	if err != nil {
		return nil, err
	}
	return s.db.Declarations(ctx, found)
}

// handOverForgetting keeps a text forgotten whose line is about to speak for one memory
// alone: another copy's line says it from now on.
func (s *workspaceState) handOverForgetting(ctx context.Context, p *plan, d memory.Decision) error {
	if d.Action != memory.ActionRestore {
		return nil
	}
	for _, item := range slices.Clone(p.Items) {
		if item.Before.Forgotten == nil || !*item.Before.Forgotten || item.Before.Only {
			continue
		}
		stances, err := s.declarationsOfCopies(ctx, []memory.ID{item.ID})
		if err != nil {
			return err
		}
		for _, st := range stances {
			if _, planned := p.before[st.Memory.ID]; planned || !st.Memory.Forgotten {
				continue
			}
			if st.Own.Forgotten == nil || st.Own.Only {
				said := st.Own
				said.Forgotten, said.ForgottenAt, said.Only = item.Before.Forgotten, item.Before.ForgottenAt, false
				p.Items = append(p.Items, index.IntentItem{ID: st.Memory.ID, Before: st.Own, After: said, Sidecar: st.Sidecar})
			}
			break
		}
	}
	return nil
}

// applyPlan says what a plan changes, after carrying it out unless it is only
// looked at.
func (s *workspaceState) applyPlan(ctx context.Context, now time.Time, p *plan, r memory.DecideRequest) (memory.DecideAnswer, error) {
	a := memory.DecideAnswer{Action: memory.Action(p.Action), Unchanged: p.unchanged, Preview: r.Preview}
	if !r.Preview && len(p.Rows) > 0 {
		notices, err := s.commit(ctx, now, p, progressFunc(r))
		if err != nil {
			return memory.DecideAnswer{}, err
		}
		a.Notices, a.Batch = notices, p.Batch
		if p.after, err = s.currentMemories(ctx, p.ids); err != nil {
			return memory.DecideAnswer{}, err
		}
	}
	for _, id := range p.ids {
		a.Changed = append(a.Changed, p.after[id])
	}
	return a, nil
}

func (s *workspaceState) currentMemories(ctx context.Context, ids []memory.ID) (map[memory.ID]memory.Memory, error) {
	stances, err := s.db.Declarations(ctx, ids)
	found := map[memory.ID]memory.Memory{}
	for _, st := range stances {
		found[st.Memory.ID] = st.Memory
	}
	return found, err
}
