package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"reflect"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// maxUndo is how many commands one undo takes back: more is no slip of the hand.
const maxUndo = 100

// undo takes back the last commands, newest first, each as a command of its
// own. What was decided about the same memories in other words since then stays.
func (s *workspaceState) undo(ctx context.Context, now time.Time, r memory.DecideRequest) (memory.DecideAnswer, error) {
	n := max(r.Count, 1)
	if n > maxUndo {
		return memory.DecideAnswer{}, memory.Invalid("count", "undo takes back at most %d commands at once", maxUndo)
	}
	batches, err := s.db.UndoLog(ctx, n)
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	if len(batches) == 0 {
		return memory.DecideAnswer{}, &memory.Error{Kind: memory.ErrNotFound, Field: "count", Message: "nothing to undo",
			Hint: "memory audit lists what was decided"}
	}
	whole := memory.DecideAnswer{Action: r.Action, Preview: r.Preview}
	for _, batch := range batches {
		rows, err := s.db.AuditBatch(ctx, batch)
		if err == nil && rows[0].Action == string(memory.ActionDestroy) && n == 1 {
			err = destroyUndoError(len(rows))
		}
		if err != nil {
			return whole, err
		}
		a, err := s.undoBatch(ctx, now, r, batch, rows)
		if err != nil {
			return whole, err
		}
		whole.Changed = mergeLatest(whole.Changed, a.Changed)
		whole.Unchanged = append(whole.Unchanged, a.Unchanged...)
		whole.Notices = append(whole.Notices, a.Notices...)
		whole.Batch = cmp.Or(a.Batch, whole.Batch)
	}
	return whole, nil
}

// destroyUndoError refuses to take back a destroying. Said of several commands, undo
// passes over it.
func destroyUndoError(n int) error {
	err := memory.Conflict("the last command destroyed memories (%d), and that cannot be undone", n).
		WithHint("memory undo 2 takes back the command before it")
	err.Field = "count"
	return err
}

// mergeLatest adds memories to a list in which each stands once, as it was last.
func mergeLatest(all, more memory.List[memory.Memory]) memory.List[memory.Memory] {
	at := map[memory.ID]int{}
	for i, m := range all {
		at[m.ID] = i
	}
	for _, m := range more {
		if i, ok := at[m.ID]; ok {
			all[i] = m
		} else {
			all = append(all, m)
		}
	}
	return all
}

func (s *workspaceState) undoBatch(ctx context.Context, now time.Time, r memory.DecideRequest, batch string, rows []memory.AuditRow) (memory.DecideAnswer, error) {
	var ids []memory.ID
	byID := map[memory.ID]memory.AuditRow{}
	for _, row := range rows {
		byID[row.ID] = row
		ids = append(ids, row.ID)
	}
	if rows[0].Action == string(memory.ActionDestroy) {
		return destroyedAnswer(r, ids), nil
	}
	if !r.Preview {
		if err := s.refresh(ctx, now, memory.ActionUndo, ids); err != nil {
			return memory.DecideAnswer{}, err
		}
	}
	stances, err := s.db.Declarations(ctx, ids)
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	p := newPlan(now, memory.ActionUndo, r.Source, false)
	for _, st := range stances {
		if err := p.planReverse(st, byID[st.Memory.ID]); err != nil {
			return memory.DecideAnswer{}, err
		}
		delete(byID, st.Memory.ID)
	}
	for _, id := range ids {
		if _, gone := byID[id]; gone {
			p.unchanged = append(p.unchanged, memory.UnchangedMemory{ID: id, Reason: "Memory not found"})
			delete(byID, id)
		}
	}
	p.recordUndo(batch, rows)
	return s.applyPlan(ctx, now, p, r)
}

func destroyedAnswer(r memory.DecideRequest, ids []memory.ID) memory.DecideAnswer {
	a := memory.DecideAnswer{Action: r.Action, Preview: r.Preview}
	for _, id := range ids {
		a.Unchanged = append(a.Unchanged, memory.UnchangedMemory{ID: id, Reason: "Destroyed: that cannot be undone"})
	}
	return a
}

// recordUndo has the audit say which command was taken back, once at least.
func (p *plan) recordUndo(batch string, rows []memory.AuditRow) {
	if len(p.Rows) == 0 {
		p.Rows = append(p.Rows, memory.AuditRow{At: p.At, Action: p.Action, ID: rows[0].ID, Source: p.Source, Batch: p.Batch,
			Old: map[string]any{}, New: map[string]any{}})
	}
	for _, row := range p.Rows {
		row.New["undid"] = batch
	}
}

// planReverse plans the opposite of one row of the audit.
func (p *plan) planReverse(st index.Declarations, row memory.AuditRow) error {
	was, did, err := declaredIn(row)
	if err != nil {
		return err
	}
	_, wasSaid := row.Old[declaredKey]
	after := st.Memory
	if v, ok := row.Old["forgotten"].(bool); ok {
		after.Forgotten = v
		only, _ := row.New["only"].(bool)
		switch {
		case only || row.Action == string(memory.ActionUndo):
		case v:
			p.ForgetTexts = append(p.ForgetTexts, st.Memory.ID)
		default:
			p.RestoreTexts = append(p.RestoreTexts, st.Memory.ID)
		}
	}
	if v, ok := row.Old["pinned"].(bool); ok {
		after.Pinned = v
	}
	if v, ok := row.Old["tier"].(string); ok {
		after.Tier = memory.Tier(v)
	}
	if wasSaid {
		said := revertDeclared(st.Own, did, was)
		p.Items = append(p.Items, index.IntentItem{ID: st.Memory.ID, Before: st.Own, After: said, Sidecar: st.Sidecar,
			Hide: said.Forgotten != nil && *said.Forgotten && !st.Memory.Forgotten})
	}
	p.recordChange(st.Memory, after)
	return nil
}

func declaredIn(row memory.AuditRow) (was, did memory.Declared, err error) {
	for _, part := range []struct {
		from map[string]any
		to   *memory.Declared
	}{{row.Old, &was}, {row.New, &did}} {
		text, err := json.Marshal(part.from[declaredKey])
		if err == nil {
			err = json.Unmarshal(text, part.to)
		}
		if err != nil {
			return was, did, err
		}
	}
	return was, did, nil
}

// revertDeclared gives back the words that a command changed, and leaves the others.
func revertDeclared(now, did, was memory.Declared) memory.Declared {
	if !reflect.DeepEqual(did.Pinned, was.Pinned) {
		now.Pinned = was.Pinned
	}
	if !reflect.DeepEqual(did.Forgotten, was.Forgotten) || did.Only != was.Only {
		now.Forgotten, now.ForgottenAt, now.Only = was.Forgotten, was.ForgottenAt, was.Only
	}
	if did.Tier != was.Tier || !did.Since.Equal(was.Since) {
		now.Tier, now.Since, now.SinceDay = was.Tier, was.Since, was.SinceDay
	}
	return now
}
