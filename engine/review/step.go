package review

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/engine/edits"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/undo"
	"github.com/memory-tiered/memory/index"
)

// Steps carries out the steps of reviews in one workspace. The caller holds the lock of ingests.
type Steps struct {
	DB        *index.DB
	Zone      *time.Location // of times without a zone in the files
	Decisions *decisions.Files
	Edits     *edits.Files
	Undo      undo.Commands
	Memories  lookup.Memories
}

// Run does what a person decides about one point, or reverses an earlier step.
func (s Steps) Run(ctx context.Context, now time.Time, r memory.ReviewStepRequest) (memory.ReviewStepAnswer, error) {
	if r.Action == memory.ReviewUndo {
		undone, err := s.Undo.One(ctx, now, r.Batch)
		return memory.ReviewStepAnswer{Action: memory.ReviewUndo, Changed: undone.Changed, Batch: undone.Batch, Notices: undone.Notices}, err
	}
	step, err := s.newStep(ctx, now, r)
	if err != nil {
		return memory.ReviewStepAnswer{}, err
	}
	return step.run(ctx)
}

// step is one step under way.
type step struct {
	Steps
	now     time.Time
	request memory.ReviewStepRequest
	memory  index.Declarations
	other   *index.Declarations
	older   []memory.ID // what the memory superseded before an edit
	plan    *plan.Plan
}

// newStep indexes the files of the memories and reads what is declared about them.
func (s Steps) newStep(ctx context.Context, now time.Time, r memory.ReviewStepRequest) (*step, error) {
	next := &step{Steps: s, now: now, request: r}
	names := []string{r.ID}
	if r.Other != "" {
		names = append(names, r.Other)
	}
	var ids []memory.ID
	for _, name := range names {
		m, err := s.Memories.Find(ctx, name)
		if err != nil {
			return nil, err
		}
		ids = append(ids, m.ID)
	}
	if len(ids) == 2 && ids[0] == ids[1] {
		return nil, memory.Invalid("other", "both memories are the same")
	}
	if err := s.Decisions.Refresh(ctx, now, memory.Action(r.Action), ids); err != nil {
		return nil, err
	}
	declarations, err := s.DB.Declarations(ctx, ids)
	if err != nil || len(declarations) != len(ids) {
		return nil, err
	}
	next.memory = declarations[0]
	if len(ids) == 2 {
		next.other = &declarations[1]
		if r.Action == memory.ReviewMerge && next.memory.Memory.User != next.other.Memory.User {
			return nil, memory.Invalid("other", "the memories belong to different users").WithHint("a merge would take one away from its user; edit or forget one of them")
		}
	}
	for _, d := range declarations {
		if m := d.Memory; m.Missing {
			return nil, edits.LinesChanged(m.Path, m.LineStart)
		}
	}
	return next, nil
}

// run does the step, and notes that the point is settled.
func (s *step) run(ctx context.Context) (memory.ReviewStepAnswer, error) {
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
	notices, err := s.Decisions.Commit(ctx, s.now, s.plan.Intent, func(memory.Progress) {})
	if err != nil {
		return a, err
	}
	a.Notices = notices
	if a.Changed, err = s.changed(ctx); err != nil {
		return a, err
	}
	return a, s.DB.Update(ctx, s.now, func(tx *index.Tx) error { return tx.AddReviewed(s.plan.Batch, s.marks(a.Changed)) })
}

// prepare plans what the step declares. A step without a declaration is in the audit
// too, so that it can be undone.
func (s *step) prepare(ctx context.Context) error {
	m := s.memory.Memory
	action := memory.Action(s.request.Action)
	s.plan = plan.New(s.now, action, "cli", false)
	switch s.request.Action {
	case memory.ReviewPin, memory.ReviewForget:
		p, err := plan.ForDecision(ctx, s.DB, s.Zone, s.now, memory.DecideRequest{Action: action, Source: "cli"}, []memory.ID{m.ID})
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
func (s *step) change(decl index.Declarations, declared memory.Declared, after memory.Memory) {
	s.plan.Items = append(s.plan.Items, index.IntentItem{ID: decl.Memory.ID, Before: decl.Own, After: declared, Sidecar: decl.Sidecar})
	s.plan.RecordChange(decl.Memory, after)
}

// mergeDeclarations removes the entry about the memory whose lines go. The other one
// is pinned if that was.
func (s *step) mergeDeclarations() {
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
func (s *step) supersededBy(ctx context.Context, id memory.ID) (ids []memory.ID, err error) {
	older, _, err := s.DB.Versions(ctx, id)
	for _, m := range older {
		if m.SupersededBy != nil && *m.SupersededBy == id {
			ids = append(ids, m.ID)
		}
	}
	return ids, err
}

// passOnToEdited passes on what the memory superseded, if an edit left other memories in
// its lines. The first of them takes its place.
func (s *step) passOnToEdited(ctx context.Context) error {
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
func (s *step) passOn(ctx context.Context, ids []memory.ID, stays memory.ID) error {
	ids = slices.DeleteFunc(ids, func(id memory.ID) bool { return id == stays })
	if err := s.Decisions.Refresh(ctx, s.now, memory.ActionUndo, ids); err != nil {
		return err
	}
	declarations, err := s.DB.Declarations(ctx, ids)
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
func (s *step) changeLines(ctx context.Context) error {
	r, m := s.request, s.memory.Memory
	switch r.Action {
	case memory.ReviewEdit:
		was, lines, err := resolveLines(ctx, s.Edits, m, r.Lines, r.LinesHash, r.NewLines)
		if err != nil {
			return err
		}
		if edits.UnixLines(lines) == edits.UnixLines(was) {
			return memory.Invalid("new_lines", "the lines are the same as before").WithHint("keep the memory instead")
		}
		if strings.TrimSpace(lines) == "" {
			return memory.Invalid("new_lines", "the new lines are empty").WithHint("to hide the memory, forget it")
		}
		return s.Edits.Replace(ctx, s.now, s.plan.Batch, edits.Change{Memory: m, Was: was, Lines: lines, OneMemory: isProtected(s.memory.Own)})
	case memory.ReviewMerge:
		was, _, err := resolveLines(ctx, s.Edits, s.other.Memory, r.OtherLines, r.OtherLinesHash, "")
		if err != nil {
			return err
		}
		return s.Edits.Replace(ctx, s.now, s.plan.Batch, edits.Change{Memory: s.other.Memory, Was: was})
	}
	return nil
}

// changed returns the memories of the step as they are now. Where an edit left too few
// of the words for the same memory, it is the one on the line.
func (s *step) changed(ctx context.Context) ([]memory.Memory, error) {
	m := s.memory.Memory
	current, err := lookup.Current(ctx, s.DB, []memory.ID{m.ID})
	if err != nil || s.request.Action != memory.ReviewEdit || !current[m.ID].Missing {
		return []memory.Memory{current[m.ID]}, err
	}
	list, _, err := s.DB.List(ctx, memory.Predicate{Archive: true, Forgotten: memory.Include, Path: m.Path}, "path", 0, 0)
	return slices.DeleteFunc(list, func(other memory.Memory) bool { return other.LineStart != m.LineStart }), err
}

// marks returns what the step settles. An edit of one of two memories settles nothing:
// they may still contradict each other.
func (s *step) marks(changed []memory.Memory) (marks []index.ReviewMark) {
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

// Validate returns what is wrong with a request for a step.
func Validate(r memory.ReviewStepRequest) error {
	isPair := r.Kind == memory.ReviewContradiction || r.Kind == memory.ReviewNearDuplicate
	switch {
	case r.Action == "":
		return memory.Invalid("action", "the action is missing").WithHint("one of: keep, edit, merge, pin, trust, forget, undo")
	case r.Action == memory.ReviewUndo && r.Batch == "":
		return memory.Invalid("batch", "the step to undo is missing").WithHint("batch is what the answer to the step returned")
	case r.Action == memory.ReviewUndo:
		return nil
	case r.ID == "":
		return memory.Invalid("id", "the id is missing")
	case r.Kind == "":
		return memory.Invalid("kind", "the kind is missing").WithHint("the kind of the point that the review listed")
	case (r.Action == memory.ReviewMerge || isPair && r.Action == memory.ReviewKeep) && r.Other == "":
		return memory.Invalid("other", "the second memory is missing")
	case r.Action == memory.ReviewMerge && r.OtherLines == "" && r.OtherLinesHash == "":
		return memory.Invalid("other_lines_hash", "the lines of the second memory are not named").WithHint("send other_lines_hash as the review listed it")
	case r.Action == memory.ReviewEdit && r.Lines == "" && r.LinesHash == "":
		return memory.Invalid("lines_hash", "the lines of the memory are not named").WithHint("send lines_hash as the review listed it")
	}
	return nil
}
