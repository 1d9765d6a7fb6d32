package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// maxUndo bounds the commands of one undo; more are not undone by mistake.
const maxUndo = 100

// undo reverses the latest commands, newest first, each as a command of its own.
// Later decisions in other fields of the same memories stay.
func (s *workspaceState) undo(ctx context.Context, now time.Time, who reader, r memory.DecideRequest) (memory.DecideAnswer, error) {
	n := max(r.Count, 1)
	if n > maxUndo {
		return memory.DecideAnswer{}, memory.Invalid("count", "undo reverses at most %d commands at once", maxUndo)
	}
	batches, err := s.db.UndoLog(ctx, n)
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	if len(batches) == 0 {
		return memory.DecideAnswer{}, &memory.Error{Kind: memory.ErrNotFound, Field: "count", Message: "nothing to undo",
			Hint: "memory audit lists all decisions"}
	}
	answer := memory.DecideAnswer{Action: r.Action, Preview: r.Preview}
	commands, err := s.undoable(ctx, who, r, batches)
	if err != nil {
		return answer, err
	}
	if answer.Notices, err = s.capturedNotices(ctx, batches[0]); err != nil {
		return answer, err
	}
	for i, rows := range commands {
		batch := batches[i]
		a, err := s.undoBatch(ctx, now, r, batch, rows)
		if gone := (linesGone{}); n > 1 && errors.As(err, &gone) { // it must not block the commands before it
			answer.Unchanged = append(answer.Unchanged, memory.UnchangedMemory{ID: rows[0].ID, Reason: gone.Error()})
			continue
		}
		if err != nil {
			return answer, err
		}
		answer.Changed = mergeLatest(answer.Changed, a.Changed)
		answer.Unchanged = append(answer.Unchanged, a.Unchanged...)
		answer.Notices = append(answer.Notices, a.Notices...)
		answer.Batch = cmp.Or(a.Batch, answer.Batch)
		if !isDestroy(rows) && !isAllEdited(a) {
			answer.Undone = append(answer.Undone, memory.UndoneCommand{Action: rows[0].Action, At: rows[0].At, Source: rows[0].Source,
				Memories: len(rowsByMemory(rows)), Batch: batch})
		}
	}
	return answer, s.withholdForgotten(ctx, answer.Changed)
}

// withholdForgotten removes the texts of memories that are forgotten. Nobody named them.
func (s *workspaceState) withholdForgotten(ctx context.Context, changed []memory.Memory) error {
	current, err := s.currentMemories(ctx, memoryIDs(changed))
	for i, m := range changed {
		if m.Forgotten || current[m.ID].Forgotten {
			changed[i].Text = ""
		}
	}
	return err
}

// undoable returns the audit rows of some commands, or the reason why undo refuses one
// of them. A model may reverse what an agent did, and no command of a person: that
// could bring a forgotten text back.
func (s *workspaceState) undoable(ctx context.Context, who reader, r memory.DecideRequest, batches []string) (commands [][]memory.AuditRow, err error) {
	for _, batch := range batches {
		rows, err := s.db.AuditBatch(ctx, batch)
		switch {
		case err != nil:
			return nil, err
		case isDestroy(rows) && max(r.Count, 1) == 1:
			return nil, destroyUndoError(len(destroyedIDs(rows)))
		case s.aboutOthers(ctx, who, rows):
			return nil, &memory.Error{Kind: memory.ErrForbidden, Field: "action", Message: "the last command was not one of this user",
				Hint: "ask the owner to run memory undo"}
		case r.For == memory.AudienceModel && rows[0].Source == "cli":
			return nil, &memory.Error{Kind: memory.ErrForbidden, Field: "action", Message: "a person made this decision, and only a person can undo it",
				Hint: "ask the user to run memory undo"}
		}
		commands = append(commands, rows)
	}
	return commands, nil
}

// isDestroy reports whether a command destroyed memories. Its audit may begin with the
// memories that hold again because of that.
func isDestroy(rows []memory.AuditRow) bool { return len(destroyedIDs(rows)) > 0 }

// destroyedIDs returns the memories that a command destroyed.
func destroyedIDs(rows []memory.AuditRow) (ids []memory.ID) {
	for _, row := range rows {
		if row.Action == string(memory.ActionDestroy) {
			ids = append(ids, row.ID)
		}
	}
	return ids
}

// rowsByMemory returns one row for each memory of a command, in the order of the audit.
// A command that changed a memory in several steps has several rows about it.
func rowsByMemory(rows []memory.AuditRow) (merged []memory.AuditRow) {
	position := map[memory.ID]int{}
	for _, row := range rows {
		i, known := position[row.ID]
		switch {
		case row.ID == "":
		case !known:
			position[row.ID] = len(merged)
			row.Old, row.New = maps.Clone(row.Old), maps.Clone(row.New)
			merged = append(merged, row)
		default:
			for field, was := range row.Old {
				if _, earlier := merged[i].Old[field]; !earlier {
					merged[i].Old[field] = was
				}
			}
			maps.Copy(merged[i].New, row.New)
		}
	}
	return merged
}

// aboutOthers reports whether a command changed a memory that the reader may not see, or
// one that is not known any more.
func (s *workspaceState) aboutOthers(ctx context.Context, who reader, rows []memory.AuditRow) bool {
	if who.users == nil {
		return false
	}
	var ids []memory.ID
	for _, row := range rows {
		ids = append(ids, row.ID)
	}
	known, err := s.currentMemories(ctx, ids)
	return err != nil || slices.ContainsFunc(ids, func(id memory.ID) bool { m, ok := known[id]; return !ok || !who.mayRead(m) })
}

// destroyUndoError is the error for undoing a destroy alone. An undo of several
// commands skips it.
func destroyUndoError(n int) error {
	err := memory.Conflict("the last command destroyed memories (%d), and that cannot be undone", n).
		WithHint("memory undo 2 reverses the command before it")
	err.Field = "count"
	return err
}

// mergeLatest adds memories to a list that has each memory once, in its latest
// state.
func mergeLatest(all, more memory.List[memory.Memory]) memory.List[memory.Memory] {
	position := map[memory.ID]int{}
	for i, m := range all {
		position[m.ID] = i
	}
	for _, m := range more {
		if i, ok := position[m.ID]; ok {
			all[i] = m
		} else {
			all = append(all, m)
		}
	}
	return all
}

func (s *workspaceState) undoBatch(ctx context.Context, now time.Time, r memory.DecideRequest, batch string, rows []memory.AuditRow) (memory.DecideAnswer, error) {
	if isDestroy(rows) {
		return destroyedAnswer(r, destroyedIDs(rows)), nil
	}
	if setsContext(rows[0]) {
		return s.undoContext(ctx, now, r, rows[0])
	}
	rows = rowsByMemory(rows)
	var ids []memory.ID
	byID := map[memory.ID]memory.AuditRow{}
	for _, row := range rows {
		byID[row.ID] = row
		ids = append(ids, row.ID)
	}
	if !r.Preview {
		if err := s.removeStored(ctx, now, rows); err != nil {
			return memory.DecideAnswer{}, err
		}
		if err := s.restoreLines(ctx, now, batch, rows[0].Action); err != nil {
			return memory.DecideAnswer{}, err
		}
		if err := s.refresh(ctx, now, memory.ActionUndo, ids); err != nil {
			return memory.DecideAnswer{}, err
		}
	}
	declarations, err := s.db.Declarations(ctx, ids)
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	edited, err := s.db.EditedSince(ctx, batch)
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	p := newPlan(now, memory.ActionUndo, r.Source, false)
	for _, decl := range declarations {
		if err := p.planReverse(decl, byID[decl.Memory.ID], edited[decl.Memory.ID]); err != nil {
			return memory.DecideAnswer{}, err
		}
		delete(byID, decl.Memory.ID)
	}
	for _, id := range ids {
		if _, missing := byID[id]; missing {
			p.unchanged = append(p.unchanged, memory.UnchangedMemory{ID: id, Reason: "Memory not found"})
			delete(byID, id)
		}
	}
	p.recordUndo(batch, rows)
	a, err := s.applyPlan(ctx, now, p, r)
	if err != nil || r.Preview {
		return a, err
	}
	a.Notices = append(a.Notices, s.removeNewFiles(ctx, now, rows, declarations)...)
	return a, s.db.Update(ctx, now, func(tx *index.Tx) error {
		if err := tx.DropFormerLines(batch); err != nil {
			return err
		}
		return tx.DeleteReviewed(batch)
	})
}

func destroyedAnswer(r memory.DecideRequest, ids []memory.ID) memory.DecideAnswer {
	a := memory.DecideAnswer{Action: r.Action, Preview: r.Preview}
	for _, id := range ids {
		a.Unchanged = append(a.Unchanged, memory.UnchangedMemory{ID: id, Reason: "Destroyed: that cannot be undone"})
	}
	return a
}

// recordUndo writes to the audit which command was undone, in one row at least.
func (p *plan) recordUndo(batch string, rows []memory.AuditRow) {
	if len(p.Rows) == 0 {
		p.Rows = append(p.Rows, memory.AuditRow{At: p.At, Action: p.Action, ID: rows[0].ID, Source: p.Source, Batch: p.Batch,
			Old: map[string]any{}, New: map[string]any{}})
	}
	for _, row := range p.Rows {
		row.New["undid"] = batch
	}
}

// planReverse adds the reverse of one row of the audit to the plan, without the fields
// that an edit of a file has decided since.
func (p *plan) planReverse(decl index.Declarations, row memory.AuditRow, edited []string) error {
	oldDeclared, newDeclared, err := declaredIn(row)
	if err != nil {
		return err
	}
	if isLeft := keepEdited(row, oldDeclared, &newDeclared, edited); !isLeft {
		p.unchanged = append(p.unchanged, memory.UnchangedMemory{ID: decl.Memory.ID, Reason: memory.EditedSince})
		return nil
	}
	_, hadDeclaration := row.Old[declaredKey]
	after := decl.Memory
	after.Missing = after.Missing || isStored(row)
	if v, ok := row.Old["forgotten"].(bool); ok {
		after.Forgotten = v
		only, _ := row.New["only"].(bool)
		switch {
		case only || oldDeclared.Only || row.Action == string(memory.ActionUndo):
		case v:
			p.ForgetTexts = append(p.ForgetTexts, decl.Memory.ID)
		default:
			p.RestoreTexts = append(p.RestoreTexts, decl.Memory.ID)
		}
	}
	if v, ok := row.Old["pinned"].(bool); ok {
		after.Pinned = v
	}
	if v, ok := row.Old["tier"].(string); ok {
		after.Tier = memory.Tier(v)
	}
	if v, ok := row.Old["trust_tier"].(string); ok {
		after.Trust = memory.TrustTier(v)
	}
	if was, changed := row.Old["superseded_by"]; changed {
		after.SupersededBy = nil
		if v, ok := was.(string); ok {
			after.SupersededBy = (*memory.ID)(&v)
		}
	}
	if hadDeclaration {
		declared := revertDeclared(decl.Own, newDeclared, oldDeclared)
		p.Items = append(p.Items, index.IntentItem{ID: decl.Memory.ID, Before: decl.Own, After: declared, Sidecar: decl.Sidecar,
			Hide: declared.Forgotten != nil && *declared.Forgotten && !decl.Memory.Forgotten})
	}
	p.recordChange(decl.Memory, after)
	return nil
}

// declaredIn returns the declarations before and after a command, from its row in the
// audit.
func declaredIn(row memory.AuditRow) (oldDeclared, newDeclared memory.Declared, err error) {
	for _, part := range []struct {
		from map[string]any
		to   *memory.Declared
	}{{row.Old, &oldDeclared}, {row.New, &newDeclared}} {
		text, err := json.Marshal(part.from[declaredKey])
		if err == nil {
			err = json.Unmarshal(text, part.to)
		}
		if err != nil {
			return oldDeclared, newDeclared, err
		}
	}
	return oldDeclared, newDeclared, nil
}

// revertDeclared restores the fields in which a command changed the declaration from
// old to new, and keeps the others.
func revertDeclared(current, newDeclared, oldDeclared memory.Declared) memory.Declared {
	if !reflect.DeepEqual(newDeclared.Pinned, oldDeclared.Pinned) {
		current.Pinned = oldDeclared.Pinned
	}
	if !reflect.DeepEqual(newDeclared.Forgotten, oldDeclared.Forgotten) || newDeclared.Only != oldDeclared.Only {
		current.Forgotten, current.ForgottenAt, current.Only = oldDeclared.Forgotten, oldDeclared.ForgottenAt, oldDeclared.Only
	}
	if newDeclared.Tier != oldDeclared.Tier || !newDeclared.Since.Equal(oldDeclared.Since) {
		current.Tier, current.Since, current.SinceDay = oldDeclared.Tier, oldDeclared.Since, oldDeclared.SinceDay
	}
	if newDeclared.SupersededBy != oldDeclared.SupersededBy {
		current.SupersededBy = oldDeclared.SupersededBy
	}
	if newDeclared.Trust != oldDeclared.Trust {
		current.Trust = oldDeclared.Trust
	}
	if !reflect.DeepEqual(newDeclared.Importance, oldDeclared.Importance) {
		current.Importance = oldDeclared.Importance
	}
	if newDeclared.Type != oldDeclared.Type || newDeclared.Category != oldDeclared.Category || newDeclared.Source != oldDeclared.Source {
		current.Type, current.Category, current.Source = oldDeclared.Type, oldDeclared.Category, oldDeclared.Source
	}
	return current
}
