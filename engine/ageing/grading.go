package ageing

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/lang"
)

// gradeSlice is the number of memories that one transaction grades, so that no other
// writer waits for long.
const gradeSlice = 500

// Grade grades the visible memories, and lists up to maxListed of the grades. It calls before if
// it will change any.
func Grade(ctx context.Context, db *index.DB, now time.Time, r memory.GradeRequest, maxListed int, before func() error) (memory.GradeAnswer, error) {
	g := &grading{db: db, maxListed: maxListed, request: r, answer: memory.GradeAnswer{Fields: r.Fields, Preview: r.Preview}}
	grades, err := g.plan(ctx)
	if err != nil || r.Preview || len(grades) == 0 {
		return g.answer, err
	}
	if err := before(); err != nil {
		return memory.GradeAnswer{}, err
	}
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(grades)), gradeSlice) {
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

// IsGradingDue reports whether a schedule is due. The zero schedule never is.
func IsGradingDue(ctx context.Context, db *index.DB, schedule decay.Schedule, zone *time.Location, now time.Time) (bool, error) {
	if schedule == (decay.Schedule{}) {
		return false, nil
	}
	last, err := db.LastGrading(ctx)
	return schedule.IsDue(last, now, zone), err
}

// ValidateGrade returns what is wrong with a request. It sets the fields that the request leaves out.
func ValidateGrade(r *memory.GradeRequest) error {
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
	for part := range slices.Chunk(list, gradeSlice) {
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
	next, reasons := gradeMemory(m)
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

// gradeStart is the importance to which the rules add: the middle of the scale.
const gradeStart = 0.5

// rule adds points to the importance of the memories that it matches.
type rule struct {
	reason  string // for a person
	points  float64
	matches func(*memory.Memory) bool
}

// rules is applied as a whole: the points of all that match add up. docs/grading.md lists
// them.
var rules = []rule{
	{"says that it is important", 0.2, func(m *memory.Memory) bool { return hasPhrase("important")(m) || strings.Contains(m.Text, "!!") }},
	{"states a rule", 0.15, hasPhrase("rule")},
	{"is a decision, a preference, a lesson or a risk", 0.1, categoryIs(memory.CategoryDecision, memory.CategoryPreference, memory.CategoryLesson, memory.CategoryRisk)},
	{"contains a number, an address or an identifier", 0.05, textMatches(`\d|https?://|[\w.+-]+@[\w-]+\.\w|\b[a-z]+[A-Z]\w+|\b[A-Z]{2,}_[A-Z]`)},
	{"is pinned", 0.15, func(m *memory.Memory) bool { return m.Pinned }},
	{"is not trusted", -0.15, func(m *memory.Memory) bool { return m.Trust != memory.TrustTrusted }},
	{"is done or struck out", -0.2, textMatches(`^\s*([-*]\s+)?\[[xX]\]|^\s*~~.*~~\s*$`)},
	{"is a task or a plan", -0.05, categoryIs(memory.CategoryTask, memory.CategoryPlan)},
	{"is a question", -0.1, func(m *memory.Memory) bool { return memory.IsQuestion(m.Text) }},
	{"tells what happened", -0.05, func(m *memory.Memory) bool { return m.Type == memory.TypeEpisodic }},
	{"has fewer than four words", -0.1, isShort},
}

// phrases returns those of a section of lang/notes.md.
var phrases = lang.PhrasesOf("notes")

// hasPhrase returns a test of a memory's text by the phrases of a section.
func hasPhrase(section string) func(*memory.Memory) bool {
	return func(m *memory.Memory) bool { return phrases(section).Match(lang.Fold(m.Text)) }
}

// textMatches returns a test of a memory's text by a regular expression.
func textMatches(pattern string) func(*memory.Memory) bool {
	compiled := lazyregexp.New(pattern)
	return func(m *memory.Memory) bool { return compiled().MatchString(m.Text) }
}

// categoryIs returns a test of a memory's subject.
func categoryIs(wanted ...memory.Category) func(*memory.Memory) bool {
	return func(m *memory.Memory) bool {
		for _, c := range wanted {
			if m.Category == c {
				return true
			}
		}
		return false
	}
}

// shortCJK is about four words of Chinese or Japanese, in characters.
const shortCJK = 8

// isShort reports whether a text has fewer than four words.
func isShort(m *memory.Memory) bool {
	characters := 0
	for _, c := range m.Text {
		if lang.IsCJK(c) {
			characters++
		}
	}
	return len(strings.Fields(m.Text)) < 4 && characters < shortCJK
}

// The labels of the importance from which a memory has them. No rule labels a memory
// ignore: that would hide it.
const (
	mustRemember = 0.8
	niceToHave   = 0.65
)

// gradeMemory returns the grade of a memory, and the rules that led to it. It knows nothing of what
// a person declared.
func gradeMemory(m memory.Memory) (g memory.Grade, reasons []string) {
	importance := gradeStart
	for _, r := range rules {
		if r.matches(&m) {
			importance += r.points
			reasons = append(reasons, r.reason)
		}
	}
	importance = math.Round(100*min(max(importance, 0), 1)) / 100
	g.Importance = &importance
	switch {
	case importance >= mustRemember:
		g.Label = memory.ImportanceMustRemember
	case importance >= niceToHave:
		g.Label = memory.ImportanceNiceToHave
	default:
		g.Label = memory.ImportanceUnknown
	}
	return g, reasons
}
