package plan

import (
	"context"
	"encoding/json"
	"reflect"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// few is the number of memories that a command changes without a snapshot before it. A
// person sees that many at once, and undo reverses them.
const few = 10

// SnapshotBefore makes a snapshot before a command that changes many memories, or several
// that a query or a filter selects.
func (f *Executor) SnapshotBefore(ctx context.Context, now time.Time, r memory.DecideRequest, action string, changes int) error {
	isSelected := r.Query != "" || r.Filter != nil || r.Missing
	if changes <= few && (!isSelected || changes == 1) {
		return nil
	}
	return f.Host.Snapshot(ctx, now, "before "+action)
}

// Earlier is what a snapshot has about a memory.
type Earlier struct {
	Memory memory.Memory   // its state
	Own    memory.Declared // what was declared about it alone
	Grade  memory.Grade
}

// SetBack adds to the plan that a memory gets an earlier state back. What its file or its own
// lines say stays. keepsForgetting reports that another memory forgets its text.
func (p *Plan) SetBack(decl index.Declarations, was Earlier, grade memory.Grade, keepsForgetting bool) {
	now, own := decl.Memory, was.Own
	byFile := decl.Inherited.Forgets()
	if was.Memory.Forgotten && !own.Forgets() { // a line about a copy, or its file, forgot it
		switch {
		case decl.Own.Forgets():
			own.Forgotten, own.ForgottenAt, own.Only = decl.Own.Forgotten, decl.Own.ForgottenAt, decl.Own.Only
		case !now.Forgotten && !byFile:
			own.Forgotten, own.ForgottenAt, own.Only = new(true), p.At, false
		}
	}
	forgets := was.Memory.Forgotten && !now.Forgotten
	shows := !was.Memory.Forgotten && now.Forgotten && !byFile && !decl.InDoubt && !keepsForgetting
	declares, grades := !sameDeclared(own, decl.Own), !reflect.DeepEqual(was.Grade, grade)
	if !declares && !shows && !grades {
		return
	}
	after := now
	for _, field := range recorded {
		next := decl.Own
		if field.declare(&next, own); !sameDeclared(next, decl.Own) {
			field.set(&after, field.get(was.Memory))
		}
	}
	after.Forgotten = (now.Forgotten || forgets) && !shows
	if forgets && !own.Only {
		p.ForgetTexts = append(p.ForgetTexts, now.ID)
	}
	if shows && !decl.Own.Only {
		p.RestoreTexts = append(p.RestoreTexts, now.ID)
	}
	if declares {
		p.declareItem(decl, own)
	}
	p.RecordChange(now, after)
	row := p.Rows[len(p.Rows)-1]
	if forgets && own.Only {
		row.New["only"] = true
	}
	if grades {
		p.grades[now.ID] = was.Grade
		noteGrade(row.Old, grade)
		noteGrade(row.New, was.Grade)
	}
}

// sameDeclared compares declarations as a snapshot and the index store them.
func sameDeclared(a, b memory.Declared) bool {
	textA, errA := json.Marshal(a)
	textB, errB := json.Marshal(b)
	return errA == nil && errB == nil && string(textA) == string(textB)
}

// A row of the audit has a grade in two fields. An importance of null was not graded.
const gradedImportance, gradedLabel = "graded_importance", "graded_label"

func noteGrade(in map[string]any, g memory.Grade) {
	in[gradedImportance], in[gradedLabel] = nil, string(g.Label)
	if g.Importance != nil {
		in[gradedImportance] = *g.Importance
	}
}

func gradeIn(fields map[string]any) (g memory.Grade, has bool) {
	if importance, ok := fields[gradedImportance].(float64); ok {
		g.Importance = &importance
	}
	_, has = fields[gradedLabel]
	g.Label = memory.ImportanceLabel(textOf(fields[gradedLabel]))
	return g, has
}
