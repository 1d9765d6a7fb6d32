package snapshot

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/folder"
)

// restorePlan returns the plan after which the decisions are those of a snapshot. A memory that
// the snapshot does not know keeps its state. One that is gone does not come back.
func (s *Store) restorePlan(ctx context.Context, now time.Time, id string) (memory.Snapshot, *plan.Plan, error) {
	found, err := s.Find(id)
	if err != nil {
		return found, nil, err
	}
	f, err := s.open(ctx, found.ID)
	if err != nil {
		return found, nil, err
	}
	defer f.Close()
	r := restore{Store: s, plan: plan.New(now, "restore-snapshot", "cli", false), known: f.Lines}
	if r.grades, err = s.DB.Grades(ctx); err != nil {
		return found, nil, err
	}
	if err := f.Rows(func(rows []memory.ExportRow) error { return r.setBack(ctx, rows) }); err != nil {
		return found, nil, err
	}
	known, err := aboutOf(f.Header)
	if err != nil {
		return found, nil, readError(found.ID, err)
	}
	isMoved, isAllGone := known.Folder != folder.RealPath(s.Folder), len(r.plan.Unchanged) == len(r.known)
	if isMoved && (f.Header.Workspace != s.Name || isAllGone) {
		return found, nil, memory.Conflict("the snapshot %s is of another workspace: %s in %s", found.ID, f.Header.Workspace, known.Folder).
			WithHint("memory snapshot list -w WORKSPACE lists those of a workspace; memory import brings what an export has to another one")
	}
	return found, r.plan, nil
}

// restore makes the plan of one restore.
type restore struct {
	*Store
	plan   *plan.Plan
	known  map[memory.ID]int // by the snapshot
	grades map[memory.ID]memory.Grade
}

func (r *restore) setBack(ctx context.Context, rows []memory.ExportRow) error {
	was := map[memory.ID]memory.ExportRow{}
	var ids []memory.ID
	for _, row := range rows {
		ids, was[row.Memory.ID] = append(ids, row.Memory.ID), row
	}
	declarations, err := r.DB.Declarations(ctx, ids)
	if err != nil {
		return err
	}
	for _, decl := range declarations {
		id := decl.Memory.ID
		row := was[id]
		delete(was, id)
		keepsForgetting := false
		if decl.Memory.Forgotten && !row.Memory.Forgotten {
			if keepsForgetting, err = r.isForgottenByOther(ctx, id); err != nil {
				return err
			}
		}
		r.plan.SetBack(decl, plan.Earlier{Memory: row.Memory.Memory, Own: row.Declared, Grade: gradeOf(row)}, r.grades[id], keepsForgetting)
	}
	for _, id := range ids {
		if _, isGone := was[id]; isGone {
			r.plan.Unchanged = append(r.plan.Unchanged, memory.UnchangedMemory{ID: id, Reason: "Gone since the snapshot"})
		}
	}
	return nil
}

// isForgottenByOther reports whether a memory that the snapshot does not know forgets the
// text of this one in every copy.
func (r *restore) isForgottenByOther(ctx context.Context, id memory.ID) (bool, error) {
	copies, err := r.DB.DeclarationsOfCopies(ctx, []memory.ID{id})
	return slices.ContainsFunc(copies, func(c index.Declarations) bool {
		return r.known[c.Memory.ID] == 0 && c.Own.Forgotten != nil && *c.Own.Forgotten && !c.Own.Only
	}), err
}

// gradeOf returns the grade that a memory had.
func gradeOf(row memory.ExportRow) (g memory.Grade) {
	columns := row.Tables["memories"][0]
	if n, ok := columns["graded_importance"].(json.Number); ok {
		if importance, err := n.Float64(); err == nil && importance >= 0 {
			g.Importance = &importance
		}
	}
	label, _ := columns["graded_label"].(string)
	g.Label = memory.ImportanceLabel(label)
	return g
}

// changes returns rows with only the fields that a plan changes, and what is declared
// beside them.
func changes(p *plan.Plan) (rows []memory.AuditRow) {
	for _, row := range p.Rows {
		before, after := fieldsOf(row.Old), fieldsOf(row.New)
		all := maps.Clone(before)
		maps.Copy(all, after)
		for name := range all {
			if fmt.Sprint(before[name]) == fmt.Sprint(after[name]) {
				delete(before, name)
				delete(after, name)
			}
		}
		row.Old, row.New = before, after
		rows = append(rows, row)
	}
	return rows
}

// fieldsOf returns the fields of one side of a row of the audit, and those of the declaration
// in it. It leaves out since when they hold.
func fieldsOf(side map[string]any) map[string]any {
	fields := map[string]any{}
	for _, value := range side {
		if d, isDeclared := value.(memory.Declared); isDeclared {
			d.Since, d.SinceDay, d.ForgottenAt = time.Time{}, false, time.Time{}
			text, err := json.Marshal(d)
			if err == nil {
				_ = json.Unmarshal(text, &fields) // it was just written
			}
		}
	}
	for name, value := range side {
		if _, isDeclared := value.(memory.Declared); !isDeclared {
			fields[name] = value
		}
	}
	return fields
}
