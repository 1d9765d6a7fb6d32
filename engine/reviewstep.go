package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/engine/edits"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
)

// reviewStep is one step of a review under way.
type reviewStep struct {
	*workspaceState
	now     time.Time
	request memory.ReviewStepRequest
	memory  index.Declarations
	other   *index.Declarations
	older   []memory.ID // what the memory superseded before an edit
	plan    *plan.Plan
}

// newStep indexes the files of the memories and reads what is declared about them.
func (s *workspaceState) newStep(ctx context.Context, now time.Time, r memory.ReviewStepRequest) (*reviewStep, error) {
	step := &reviewStep{workspaceState: s, now: now, request: r}
	names := []string{r.ID}
	if r.Other != "" {
		names = append(names, r.Other)
	}
	var ids []memory.ID
	for _, name := range names {
		m, err := s.memories().Find(ctx, name)
		if err != nil {
			return nil, err
		}
		ids = append(ids, m.ID)
	}
	if len(ids) == 2 && ids[0] == ids[1] {
		return nil, memory.Invalid("other", "both memories are the same")
	}
	if err := s.decisions.Refresh(ctx, now, memory.Action(r.Action), ids); err != nil {
		return nil, err
	}
	declarations, err := s.db.Declarations(ctx, ids)
	if err != nil || len(declarations) != len(ids) {
		return nil, err
	}
	step.memory = declarations[0]
	if len(ids) == 2 {
		step.other = &declarations[1]
		if r.Action == memory.ReviewMerge && step.memory.Memory.User != step.other.Memory.User {
			return nil, memory.Invalid("other", "the memories belong to different users").WithHint("a merge would take one away from its user; edit or forget one of them")
		}
	}
	for _, d := range declarations {
		if m := d.Memory; m.Missing {
			return nil, edits.LinesChanged(m.Path, m.LineStart)
		}
	}
	return step, nil
}

// run does the step, and notes that the point is settled.
func (s *reviewStep) run(ctx context.Context) (memory.ReviewStepAnswer, error) {
	a := memory.ReviewStepAnswer{Action: s.request.Action}
	if err := s.prepare(ctx); err != nil {
		return a, err
	}
	a.Batch = s.plan.Batch
	if err := s.changeLines(ctx); err != nil {
		return a, err
	}
	if err := s.passOnToEdited(ctx); err != nil {
		return a, err
	}
	notices, err := s.decisions.Commit(ctx, s.now, s.plan.Intent, func(memory.Progress) {})
	if err != nil {
		return a, err
	}
	a.Notices = notices
	if a.Changed, err = s.changed(ctx); err != nil {
		return a, err
	}
	return a, s.db.Update(ctx, s.now, func(tx *index.Tx) error { return tx.AddReviewed(s.plan.Batch, s.marks(a.Changed)) })
}

// prepare plans what the step declares. A step without a declaration is in the audit
// too, so that it can be undone.
func (s *reviewStep) prepare(ctx context.Context) error {
	m := s.memory.Memory
	action := memory.Action(s.request.Action)
	s.plan = plan.New(s.now, action, "cli", false)
	switch s.request.Action {
	case memory.ReviewPin, memory.ReviewForget:
		p, err := plan.ForDecision(ctx, s.db, s.zone(), s.now, memory.DecideRequest{Action: action, Source: "cli"}, []memory.ID{m.ID})
		if err != nil {
			return err
		}
		s.plan = p
	case memory.ReviewTrust:
		if m.Trust != memory.TrustTrusted {
			raised, after := s.memory.Own, m
			raised.Trust, after.Trust = memory.TrustTrusted, memory.TrustTrusted
			s.change(s.memory, raised, after)
		}
	case memory.ReviewEdit:
		var err error
		if s.older, err = s.supersededBy(ctx, m.ID); err != nil {
			return err
		}
		if len(s.memory.Entries) > 0 { // its quote follows the new text
			s.change(s.memory, s.memory.Own, m)
		}
	case memory.ReviewMerge:
		s.mergeDeclarations()
		older, err := s.supersededBy(ctx, s.other.Memory.ID)
		if err == nil {
			err = s.passOn(ctx, older, m.ID)
		}
		if err != nil {
			return err
		}
	}
	if len(s.plan.Rows) == 0 {
		s.plan.RecordChange(m, m)
	}
	return nil
}

// change adds the new declaration of a memory to the plan.
func (s *reviewStep) change(decl index.Declarations, declared memory.Declared, after memory.Memory) {
	s.plan.Items = append(s.plan.Items, index.IntentItem{ID: decl.Memory.ID, Before: decl.Own, After: declared, Sidecar: decl.Sidecar})
	s.plan.RecordChange(decl.Memory, after)
}

// mergeDeclarations removes the entry about the memory whose lines go. The other one
// is pinned if that was.
func (s *reviewStep) mergeDeclarations() {
	gone, stays := s.other.Memory, s.memory.Memory
	if gone.Pinned && !stays.Pinned {
		yes := true
		pinned := s.memory.Own
		pinned.Pinned, stays.Pinned = &yes, true
		s.change(s.memory, pinned, stays)
	}
	if !decisions.IsEmptyEntry(s.other.Own, s.Zone) {
		gone.Pinned = false
		s.change(*s.other, memory.Declared{}, gone)
	}
}

// supersededBy returns the memories that a memory superseded.
func (s *reviewStep) supersededBy(ctx context.Context, id memory.ID) (ids []memory.ID, err error) {
	older, _, err := s.db.Versions(ctx, id)
	for _, m := range older {
		if m.SupersededBy != nil && *m.SupersededBy == id {
			ids = append(ids, m.ID)
		}
	}
	return ids, err
}

// passOnToEdited passes on what the memory superseded, if an edit left other memories in
// its lines. The first of them takes its place.
func (s *reviewStep) passOnToEdited(ctx context.Context) error {
	if len(s.older) == 0 {
		return nil
	}
	changed, err := s.changed(ctx)
	if err != nil || len(changed) == 0 || changed[0].ID == s.memory.Memory.ID {
		return err
	}
	return s.passOn(ctx, s.older, changed[0].ID)
}

// passOn declares that a memory supersedes what another one superseded, whose lines are
// gone. Without that, an old value would hold again.
func (s *reviewStep) passOn(ctx context.Context, ids []memory.ID, stays memory.ID) error {
	ids = slices.DeleteFunc(ids, func(id memory.ID) bool { return id == stays })
	if err := s.decisions.Refresh(ctx, s.now, memory.ActionUndo, ids); err != nil {
		return err
	}
	declarations, err := s.db.Declarations(ctx, ids)
	for _, d := range declarations {
		declared, after := d.Own, d.Memory
		declared.SupersededBy, after.SupersededBy = stays.Linked(), &stays
		s.change(d, declared, after)
	}
	return err
}

// isProtected reports whether a decision keeps a memory from a model or from a user. A
// second memory in its lines would need one too.
func isProtected(d memory.Declared) bool {
	return d.Private != nil && *d.Private || d.Trust != "" && d.Trust != memory.TrustTrusted || d.User != "" || d.Scope != "" ||
		!d.Expires.IsZero() || d.ImportanceLabel == memory.ImportanceIgnore
}

// changeLines changes the Markdown of an edit or a merge.
func (s *reviewStep) changeLines(ctx context.Context) error {
	r, m := s.request, s.memory.Memory
	switch r.Action {
	case memory.ReviewEdit:
		was, lines, err := s.resolveLines(ctx, m, r.Lines, r.LinesHash, r.NewLines)
		if err != nil {
			return err
		}
		if edits.UnixLines(lines) == edits.UnixLines(was) {
			return memory.Invalid("new_lines", "the lines are the same as before").WithHint("keep the memory instead")
		}
		if strings.TrimSpace(lines) == "" {
			return memory.Invalid("new_lines", "the new lines are empty").WithHint("to hide the memory, forget it")
		}
		return s.edits.Replace(ctx, s.now, s.plan.Batch, edits.Change{Memory: m, Was: was, Lines: lines, OneMemory: isProtected(s.memory.Own)})
	case memory.ReviewMerge:
		was, _, err := s.resolveLines(ctx, s.other.Memory, r.OtherLines, r.OtherLinesHash, "")
		if err != nil {
			return err
		}
		return s.edits.Replace(ctx, s.now, s.plan.Batch, edits.Change{Memory: s.other.Memory, Was: was})
	}
	return nil
}

// changed returns the memories of the step as they are now. Where an edit left too few
// of the words for the same memory, it is the one on the line.
func (s *reviewStep) changed(ctx context.Context) ([]memory.Memory, error) {
	m := s.memory.Memory
	current, err := s.memories().Current(ctx, []memory.ID{m.ID})
	if err != nil || s.request.Action != memory.ReviewEdit || !current[m.ID].Missing {
		return []memory.Memory{current[m.ID]}, err
	}
	list, _, err := s.db.List(ctx, memory.Predicate{Archive: true, Forgotten: memory.Include, Path: m.Path}, "path", 0, 0)
	return slices.DeleteFunc(list, func(other memory.Memory) bool { return other.LineStart != m.LineStart }), err
}

// marks returns what the step settles. An edit of one of two memories settles nothing:
// they may still contradict each other.
func (s *reviewStep) marks(changed []memory.Memory) (marks []index.ReviewMark) {
	r := s.request
	if len(changed) != 1 || r.Action == memory.ReviewForget || r.Action == memory.ReviewMerge || r.Action == memory.ReviewEdit && !r.Kind.IsAboutTrust() {
		return nil
	}
	kinds := []memory.ReviewKind{r.Kind}
	if r.Kind.IsAboutTrust() {
		kinds = slices.DeleteFunc(slices.Clone(memory.ReviewKinds), func(k memory.ReviewKind) bool { return !k.IsAboutTrust() })
	}
	var other *memory.Memory
	if s.other != nil {
		other = &s.other.Memory
	}
	for _, kind := range kinds {
		marks = append(marks, reviewMark(kind, changed[0], other))
	}
	return marks
}

// undoStep reverses an earlier step.
func (s *workspaceState) undoStep(ctx context.Context, now time.Time, batch string) (memory.ReviewStepAnswer, error) {
	a := memory.ReviewStepAnswer{Action: memory.ReviewUndo}
	open, err := s.db.UndoLog(ctx, maxUndo)
	if err != nil {
		return a, err
	}
	if !slices.Contains(open, batch) {
		return a, &memory.Error{Kind: memory.ErrNotFound, Field: "batch", Message: "no such step can be undone", Hint: "memory audit lists all decisions"}
	}
	rows, err := s.db.AuditBatch(ctx, batch)
	if err != nil {
		return a, err
	}
	if plan.IsDestroy(rows) {
		return a, destroyUndoError(len(plan.DestroyedIDs(rows)))
	}
	undone, err := s.undoBatch(ctx, now, memory.DecideRequest{Action: memory.ActionUndo}, batch, rows)
	a.Changed, a.Batch, a.Notices = undone.Changed, undone.Batch, undone.Notices
	return a, err
}
