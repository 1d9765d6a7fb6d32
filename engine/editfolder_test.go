package engine_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/engine/statefolder"
)

// TestDestroyRemovesWhatAKilledReviewLeft destroys a text of which the file of an editor
// is left, and one that is open in an editor.
func TestDestroyRemovesWhatAKilledReviewLeft(t *testing.T) {
	const text = "The safe behind the mirror opens with zanzibar"
	state := t.TempDir()
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- " + text + "\n"}, func(o *engine.Options) { o.StateDir = state })
	left := filepath.Join(state, "edits", "KILLED", "memory.md") // its lock file has no lock any more
	if err := os.MkdirAll(filepath.Dir(left), 0o700); err != nil {
		t.Fatal(err)
	}
	open, err := statefolder.NewEditFolder(state)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{left, filepath.Join(open.Path, "memory.md")} {
		if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found, err := c.Doctor(t.Context(), memory.DoctorRequest{}, nil)
	if err != nil || !slices.ContainsFunc(found.Findings, func(f memory.Finding) bool { return f.Check == "edits" && strings.Contains(f.Message, "KILLED") }) {
		t.Errorf("doctor: %+v, %v", found.Findings, err)
	}
	a, err := c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionDestroy, Confirm: true, IDs: []string{string(c.idOf(text))}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(left)); !os.IsNotExist(err) {
		t.Errorf("the file of a killed review is there: %v", err)
	}
	if a.Scan == nil || !slices.ContainsFunc(a.Scan.Checked, func(p memory.CheckedPlace) bool { return p.Found && strings.HasPrefix(p.File, open.Path) }) {
		t.Errorf("destroy does not report the file that is open: %+v", a.Scan)
	}
	if err := open.Close(); err != nil {
		t.Error(err)
	}
	if files, err := os.ReadDir(filepath.Join(state, "edits")); err != nil || len(files) != 0 {
		t.Errorf("files stay: %v, %v", files, err)
	}
}
