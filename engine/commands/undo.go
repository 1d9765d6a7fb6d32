package commands

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
)

// maxUndo bounds the commands of one undo; more are not undone by mistake.
const maxUndo = 100

// Undo reverses the latest commands, newest first, each as a command of its own.
// Later decisions in other fields of the same memories stay.
func (c Commands) Undo(ctx context.Context, now time.Time, who memory.View, r memory.DecideRequest) (memory.DecideAnswer, error) {
	n := max(r.Count, 1)
	if n > maxUndo {
		return memory.DecideAnswer{}, memory.Invalid("count", "undo reverses at most %d commands at once", maxUndo)
	}
	batches, err := c.log(ctx, who, n)
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	if len(batches) == 0 {
		return memory.DecideAnswer{}, &memory.Error{Kind: memory.ErrNotFound, Field: "count", Message: "nothing to undo",
			Hint: "memory audit lists all decisions"}
	}
	answer := memory.DecideAnswer{Action: r.Action, Preview: r.Preview}
	commands, err := c.undoable(ctx, r, batches)
	if err != nil {
		return answer, err
	}
	for i, rows := range commands {
		batch := batches[i]
		a, err := c.reverse(ctx, now, r, batch, rows)
		if gone := (editedError{}); n > 1 && errors.As(err, &gone) { // it must not block the commands before it
			answer.Unchanged = append(answer.Unchanged, memory.UnchangedMemory{ID: rows[0].ID, Reason: gone.Error()})
			continue
		}
		if err != nil {
			return answer, err
		}
		answer.Changed = mergeLatest(answer.Changed, a.Changed)
		answer.Removed = append(answer.Removed, a.Removed...)
		answer.Unchanged = append(answer.Unchanged, a.Unchanged...)
		answer.Notices = append(answer.Notices, a.Notices...)
		answer.Batch = cmp.Or(a.Batch, answer.Batch)
		if !plan.IsDestroy(rows) && !isAllEdited(a) {
			answer.Undone = append(answer.Undone, memory.UndoneCommand{Action: rows[0].Action, At: rows[0].At, Source: rows[0].Source,
				Memories: len(plan.RowsByMemory(rows)) - len(a.Unchanged), Batch: batch})
		}
	}
	return answer, c.WithholdForgotten(ctx, answer.Changed)
}

// log lists the latest n commands that a view may reverse, newest first. For a user,
// the commands about memories of others do not exist.
func (c Commands) log(ctx context.Context, who memory.View, n int) (batches []string, err error) {
	if who.Users == nil {
		return c.DB.UndoLog(ctx, n)
	}
	all, err := c.DB.UndoLog(ctx, maxUndo)
	for _, batch := range all {
		rows, readErr := c.DB.AuditBatch(ctx, batch)
		err = errors.Join(err, readErr)
		if len(batches) < n && !c.aboutOthers(ctx, who, rows) {
			batches = append(batches, batch)
		}
	}
	return batches, err
}

// WithholdForgotten removes the texts of memories that are forgotten. Nobody named them.
func (c Commands) WithholdForgotten(ctx context.Context, changed []memory.Memory) error {
	current, err := lookup.Current(ctx, c.DB, memory.IDsOf(changed))
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
func (c Commands) undoable(ctx context.Context, r memory.DecideRequest, batches []string) (commands [][]memory.AuditRow, err error) {
	for _, batch := range batches {
		rows, err := c.DB.AuditBatch(ctx, batch)
		switch {
		case err != nil:
			return nil, err
		case plan.IsDestroy(rows) && max(r.Count, 1) == 1:
			return nil, destroyUndoError(len(plan.DestroyedIDs(rows)))
		case r.For == memory.AudienceModel && rows[0].Source == "cli":
			return nil, &memory.Error{Kind: memory.ErrForbidden, Field: "action", Message: "a person made this decision, and only a person can undo it",
				Hint: "ask the user to run memory undo"}
		}
		commands = append(commands, rows)
	}
	return commands, nil
}

// aboutOthers reports whether a command changed a memory that the view does not show, or
// one that is not known any more.
func (c Commands) aboutOthers(ctx context.Context, who memory.View, rows []memory.AuditRow) bool {
	var ids []memory.ID
	for _, row := range rows {
		ids = append(ids, row.ID)
	}
	known, err := lookup.Current(ctx, c.DB, ids)
	return err != nil || slices.ContainsFunc(ids, func(id memory.ID) bool { m, ok := known[id]; return !ok || !who.Reads(m.User) })
}

// destroyUndoError is the error for undoing a destroy alone. An undo of several
// commands skips it.
func destroyUndoError(n int) error {
	err := memory.Conflict("the last command destroyed memories (%d), and that cannot be undone", n).
		WithHint("memory undo 2 skips it, and reverses only the command before it")
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

// reverse carries out the inverse of a command, whose rows the audit has.
func (c Commands) reverse(ctx context.Context, now time.Time, r memory.DecideRequest, batch string, rows []memory.AuditRow) (memory.DecideAnswer, error) {
	if plan.IsDestroy(rows) {
		return destroyedAnswer(r, plan.DestroyedIDs(rows)), nil
	}
	p := plan.New(now, memory.ActionUndo, r.Source, false)
	var declarations []index.Declarations
	var err error
	switch {
	case isContextChange(rows[0]):
		c.restoreContext(p, rows[0])
	case rows[0].Action == memory.AuditEdit:
		err = c.reverseEdit(ctx, p, rows[0])
	default:
		rows = plan.RowsByMemory(rows)
		declarations, err = c.reverseDecision(ctx, p, r.Preview, batch, rows)
	}
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	p.RecordUndo(batch, rows)
	a, err := c.Apply(ctx, now, p, r)
	if err != nil || r.Preview {
		return a, err
	}
	a.Notices = append(a.Notices, c.removeNewFiles(ctx, now, rows, declarations)...)
	return a, nil
}

// reverseDecision plans the inverse of a command that declared something about memories, or
// stored them. It returns what was declared of these memories.
func (c Commands) reverseDecision(ctx context.Context, p *plan.Plan, preview bool, batch string, rows []memory.AuditRow) ([]index.Declarations, error) {
	ids := make([]memory.ID, len(rows))
	byID := map[memory.ID]memory.AuditRow{}
	for i, row := range rows {
		ids[i], byID[row.ID] = row.ID, row
	}
	if !preview {
		if err := c.Refresh(ctx, p.At, memory.ActionUndo, ids); err != nil {
			return nil, err
		}
	}
	declarations, err := c.DB.Declarations(ctx, ids)
	if err == nil && !preview {
		p.Texts, err = c.withoutStored(byID, declarations)
	}
	if err != nil {
		return nil, err
	}
	edited, err := c.DB.EditedSince(ctx, batch)
	if err != nil {
		return nil, err
	}
	for _, decl := range declarations {
		if err := p.Reverse(decl, byID[decl.Memory.ID], edited[decl.Memory.ID]); err != nil {
			return nil, err
		}
		delete(byID, decl.Memory.ID)
	}
	for _, id := range ids {
		if _, missing := byID[id]; missing {
			p.Unchanged = append(p.Unchanged, memory.UnchangedMemory{ID: id, Reason: "Memory not found"})
		}
	}
	p.Then = append(p.Then, func(tx *index.Tx) error { return errors.Join(tx.DeleteReviewed(batch), tx.DeleteFeedback(batch)) })
	return declarations, nil
}

func destroyedAnswer(r memory.DecideRequest, ids []memory.ID) memory.DecideAnswer {
	a := memory.DecideAnswer{Action: r.Action, Preview: r.Preview}
	for _, id := range ids {
		a.Unchanged = append(a.Unchanged, memory.UnchangedMemory{ID: id, Reason: "Destroyed: that cannot be undone"})
	}
	return a
}

// isAllEdited reports whether the undo of a command changed nothing, because edits of
// files have decided about all its memories since.
func isAllEdited(a memory.DecideAnswer) bool {
	for _, u := range a.Unchanged {
		if u.Reason != memory.EditedSince {
			return false
		}
	}
	return len(a.Changed) == 0 && len(a.Unchanged) > 0
}

// undoStep reverses a command that nothing has undone yet.
func (c Commands) undoStep(ctx context.Context, now time.Time, batch string) (memory.DecideAnswer, error) {
	open, err := c.DB.UndoLog(ctx, maxUndo)
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	if !slices.Contains(open, batch) {
		return memory.DecideAnswer{}, &memory.Error{Kind: memory.ErrNotFound, Field: "batch", Message: "no such step can be undone", Hint: "memory audit lists all decisions"}
	}
	rows, err := c.DB.AuditBatch(ctx, batch)
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	if plan.IsDestroy(rows) {
		return memory.DecideAnswer{}, destroyUndoError(len(plan.DestroyedIDs(rows)))
	}
	return c.reverse(ctx, now, memory.DecideRequest{Action: memory.ActionUndo}, batch, rows)
}
