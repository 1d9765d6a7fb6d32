package engine_test

import (
	"errors"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

func TestGradeFillsWhatIsNotDeclared(t *testing.T) {
	const file = "- Important: the gate must be closed at night\n- The heron stands in the pond <!-- importance: 9 -->\n- The owl hunts at dusk\n"
	w := newWorld(t, map[string]string{"MEMORY.md": file})
	run := func(r memory.GradeRequest, updated, skipped, overwritten, missing int) memory.GradeAnswer {
		t.Helper()
		a := must.Get(w.Grade(t.Context(), r))(t)
		if a.Updated != updated || a.Skipped != skipped || a.Overwritten != overwritten || a.Missing != missing || a.Updated+a.Overwritten != len(a.Grades) {
			t.Errorf("%+v: %+v", r, a)
		}
		return a
	}
	importance := func(want ...float64) {
		t.Helper()
		list := must.Get(w.List(t.Context(), memory.ListRequest{Sort: "path"}))(t)
		for i, m := range list.Memories {
			if m.Importance != want[i] {
				t.Errorf("%q has %v, want %v", m.Text, m.Importance, want[i])
			}
		}
	}
	run(memory.GradeRequest{Preview: true}, 2, 1, 0, 0)
	importance(0.7, 0.9, 0.7)
	run(memory.GradeRequest{Limit: 1}, 1, 1, 0, 1)
	importance(0.85, 0.9, 0.7)
	run(memory.GradeRequest{}, 1, 2, 0, 0)
	importance(0.85, 0.9, 0.5)
	run(memory.GradeRequest{Force: true}, 0, 3, 0, 0) // the same grades
	w.write("MEMORY.md", "- The gate must be closed at night\n- The heron stands in the pond <!-- importance: 9 -->\n- The owl hunts at dusk\n")
	w.index()
	run(memory.GradeRequest{}, 0, 3, 0, 0)
	run(memory.GradeRequest{Force: true}, 0, 2, 1, 0)
	importance(0.65, 0.9, 0.5)
	must.Get(w.Index(t.Context(), memory.IndexRequest{Force: true}, nil))(t)
	importance(0.65, 0.9, 0.5)
	if got := w.read("MEMORY.md"); got != "- The gate must be closed at night\n- The heron stands in the pond <!-- importance: 9 -->\n- The owl hunts at dusk\n" {
		t.Errorf("the file changed:\n%s", got)
	}
}

func TestGradeLabelsOnlyOnRequest(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- Important: the gate must be closed at night\n"})
	label := func(want memory.ImportanceLabel) {
		t.Helper()
		list, err := w.List(t.Context(), memory.ListRequest{})
		if err != nil || list.Memories[0].ImportanceLabel != want {
			t.Errorf("%s, want %s (%v)", list.Memories[0].ImportanceLabel, want, err)
		}
	}
	must.Get(w.Grade(t.Context(), memory.GradeRequest{}))(t)
	label(memory.ImportanceUnknown)
	if a, err := w.Grade(t.Context(), memory.GradeRequest{Fields: []string{"importance_label"}}); err != nil || a.Updated != 1 || a.Grades[0].Importance != nil {
		t.Errorf("%+v, %v", a, err)
	}
	label(memory.ImportanceMustRemember)
	for _, r := range []memory.GradeRequest{{Fields: []string{"tier"}}, {Limit: -1}} {
		if _, err := w.Grade(t.Context(), r); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%+v: %v", r, err)
		}
	}
}
