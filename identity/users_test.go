package identity_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/property"
)

// userEdit is one save: a line that is appended to a file, or whose copies are removed.
type userEdit struct {
	path   string
	line   line
	remove bool
}

func drawUserEdits(t *rapid.T) (edits []userEdit) {
	for range rapid.IntRange(1, 12).Draw(t, "edits") {
		e := userEdit{path: rapid.SampledFrom([]string{"a.md", "b.md"}).Draw(t, "path"), remove: rapid.IntRange(0, 3).Draw(t, "remove") == 0,
			line: line{text: rapid.SampledFrom([]string{tabs, rotate}).Draw(t, "text"), user: rapid.SampledFrom([]string{"lena", "ben", ""}).Draw(t, "user")}}
		if e.remove && e.line.user == "" {
			continue // a text that everybody had becomes that of a user
		}
		edits = append(edits, e)
	}
	return edits
}

// applyUserEdits saves the edits of all users but one. It returns the ids of lena's lines
// and everybody's after each of their edits.
func applyUserEdits(edits []userEdit, without string) (ids [][]memory.ID) {
	w := newWorld()
	for _, e := range edits {
		if e.line.user == without {
			continue
		}
		w.disk[e.path] = slices.Clone(w.disk[e.path])
		if e.remove {
			w.disk[e.path] = slices.DeleteFunc(w.disk[e.path], func(l line) bool { return l == e.line })
		} else {
			w.disk[e.path] = append(w.disk[e.path], e.line)
		}
		w.save(e.path)
		if e.line.user == "ben" {
			continue
		}
		var own []memory.ID
		for _, path := range []string{"a.md", "b.md"} {
			for i, id := range w.idsAt[path] {
				if w.indexed[path][i].user != "ben" {
					own = append(own, id)
				}
			}
		}
		ids = append(ids, own)
	}
	return ids
}

// TestIDsTellNothingOfAnotherUser compares the ids that lena and everybody get with and
// without the lines of ben, who writes the same texts into the same files.
func TestIDsTellNothingOfAnotherUser(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		edits := drawUserEdits(t)
		with, without := applyUserEdits(edits, "nobody"), applyUserEdits(edits, "ben")
		if !slices.EqualFunc(with, without, slices.Equal) {
			t.Fatalf("with the lines of ben: %v\nwithout: %v\nedits: %+v", with, without, edits)
		}
	})
}
