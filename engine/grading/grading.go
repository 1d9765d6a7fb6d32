// Package grading gives an importance to the memories that have none, by stated rules about
// their text and their state. It writes the index alone.
package grading

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// sliceSize is the number of memories that one transaction grades, so that no other
// writer waits for long.
const sliceSize = 500

// Run grades the visible memories, and lists up to maxListed of the grades.
func Run(ctx context.Context, db *index.DB, now time.Time, r memory.GradeRequest, maxListed int) (memory.GradeAnswer, error) {
	g := &grading{db: db, maxListed: maxListed, request: r, answer: memory.GradeAnswer{Fields: r.Fields, Preview: r.Preview}}
	grades, err := g.plan(ctx)
	if err != nil || r.Preview {
		return g.answer, err
	}
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(grades)), sliceSize) {
		part := map[memory.ID]memory.Grade{}
		for _, id := range ids {
			part[id] = grades[id]
		}
		if err := db.Update(ctx, now, func(tx *index.Tx) error { return tx.SetGrades(part) }); err != nil {
			return memory.GradeAnswer{}, err
		}
	}
	return g.answer, nil
}

// Validate returns what is wrong with a request. It sets the fields that the request leaves out.
func Validate(r *memory.GradeRequest) error {
	if len(r.Fields) == 0 {
		r.Fields = []string{memory.GradeImportance}
	}
	for _, field := range r.Fields {
		if !slices.Contains(memory.GradeFields, field) {
			return memory.Invalid("fields", "grade sets no field %q", field).WithHint("one of: importance, importance_label")
		}
	}
	if r.Limit < 0 {
		return memory.Invalid("limit", "the limit %d is negative", r.Limit).WithHint("0 means no limit")
	}
	return nil
}

// grading is one request under way.
type grading struct {
	db        *index.DB
	maxListed int // grades in the answer
	request   memory.GradeRequest
	answer    memory.GradeAnswer
}

// plan returns the new grades, and counts every memory in the answer.
func (g *grading) plan(ctx context.Context) (map[memory.ID]memory.Grade, error) {
	list, _, err := g.db.List(ctx, memory.Predicate{Archive: true}, "path", 0, 0)
	if err != nil {
		return nil, err
	}
	before, err := g.db.Grades(ctx)
	if err != nil {
		return nil, err
	}
	grades := map[memory.ID]memory.Grade{}
	for part := range slices.Chunk(list, sliceSize) {
		declared, err := g.db.Declarations(ctx, memory.IDsOf(part))
		if err != nil {
			return nil, err
		}
		for _, d := range declared {
			g.add(d.Memory, g.wanted(d.Own.Over(d.Inherited), before[d.Memory.ID]), before[d.Memory.ID], grades)
		}
	}
	return grades, nil
}

// wanted returns the requested fields of a memory that are not declared, and not graded
// unless the request replaces grades.
func (g *grading) wanted(declared memory.Declared, before memory.Grade) (fields []string) {
	for _, field := range g.request.Fields {
		isDeclared, isGraded := declared.Importance != nil, before.Importance != nil
		if field == memory.GradeLabel {
			isDeclared, isGraded = declared.ImportanceLabel != "", before.Label != ""
		}
		if !isDeclared && (!isGraded || g.request.Force) {
			fields = append(fields, field)
		}
	}
	return fields
}

// add grades a memory, or counts why it does not.
func (g *grading) add(m memory.Memory, fields []string, before memory.Grade, grades map[memory.ID]memory.Grade) {
	if len(fields) == 0 {
		g.answer.Skipped++
		return
	}
	had := before.Importance != nil && slices.Contains(fields, memory.GradeImportance) || before.Label != "" && slices.Contains(fields, memory.GradeLabel)
	next, reasons := Of(m)
	if !slices.Contains(fields, memory.GradeImportance) {
		next.Importance = nil
	}
	if !slices.Contains(fields, memory.GradeLabel) {
		next.Label = ""
	}
	switch {
	case had && isSameGrade(next, before):
		g.answer.Skipped++
		return
	case g.request.Limit > 0 && len(grades) == g.request.Limit && had:
		g.answer.Skipped++
		return
	case g.request.Limit > 0 && len(grades) == g.request.Limit:
		g.answer.Missing++
		return
	case had:
		g.answer.Overwritten++
	default:
		g.answer.Updated++
	}
	grades[m.ID] = next
	if len(g.answer.Grades) < g.maxListed {
		g.answer.Grades = append(g.answer.Grades, memory.GradeOf{ID: m.ID, Path: m.Path, Line: m.LineStart, Importance: next.Importance, Label: next.Label, Reasons: reasons})
	}
}

// isSameGrade reports whether a grade changes nothing.
func isSameGrade(next, before memory.Grade) bool {
	return (next.Importance == nil || before.Importance != nil && *next.Importance == *before.Importance) && (next.Label == "" || next.Label == before.Label)
}
