package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

func (w *reopenable) link(target, path string) {
	w.t.Helper()
	name := filepath.Join(w.dir, path)
	must.Do(w.t, os.MkdirAll(filepath.Dir(name), 0o755))
	must.Do(w.t, os.Symlink(target, name))
}

// isLink reports whether a link is still a link to the same place.
func (w *reopenable) isLink(target, path string) bool {
	w.t.Helper()
	got, err := os.Readlink(filepath.Join(w.dir, path))
	return err == nil && got == target
}

// TestDecisionOnALinkedNoteWritesItsTarget forgets and destroys through links to a
// file and to a folder.
func TestDecisionOnALinkedNoteWritesItsTarget(t *testing.T) {
	w := newReopenable(t, map[string]string{"shared/main.md": "- " + heron + "\n", "shared/notes/n.md": "- " + owl + "\n- " + vault + "\n"})
	w.link("shared/main.md", "MEMORY.md")
	w.link("shared/notes", "memory")
	w.index()
	w.decide(decideRequest(memory.ActionForget, w.idOf(heron)))
	w.decide(decideRequest(memory.ActionPin, w.idOf(owl)))
	must.Get(w.Decide(t.Context(), destroyRequest(w.idOf(vault))))(t)
	if !w.isLink("shared/main.md", "MEMORY.md") || !w.isLink("shared/notes", "memory") {
		t.Error("a link is no link any more")
	}
	if got := w.read("shared/main.md"); !strings.Contains(got, "forgotten: 2026") {
		t.Errorf("the target is\n%s", got)
	}
	if got := w.read("shared/notes/n.md"); !strings.Contains(got, "pinned: true") || strings.Contains(got, vault) {
		t.Errorf("the target is\n%s", got)
	}
	must.Get(w.Store(t.Context(), memory.StoreRequest{Text: "The harbour bell rings at noon"}))(t)
	if m := w.find("The harbour bell rings at noon"); !strings.HasPrefix(m.Path, "memory/2026-") {
		t.Errorf("stored in %s", m.Path)
	}
	if found, err := filepath.Glob(filepath.Join(w.dir, "shared/notes/2026-*.md")); err != nil || len(found) != 1 {
		t.Errorf("stored files %q, %v", found, err)
	}
}

// TestLinkOutsideIsAFaultAndIsNeverWritten links MEMORY.md and memory/ to places
// outside the workspace.
func TestLinkOutsideIsAFaultAndIsNeverWritten(t *testing.T) {
	outside := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(outside, "a.md"), []byte("- "+vault+"\n"), 0o644))
	w := newReopenable(t, map[string]string{"USER.md": "- " + heron + "\n"})
	w.link(filepath.Join(outside, "a.md"), "MEMORY.md")
	w.link(outside, "memory")
	w.index()
	status := must.Get(w.Status(t.Context()))(t)
	var faults []string
	for _, f := range status.Workspaces[0].Faults {
		faults = append(faults, f.Path)
		if !strings.Contains(f.Message, "outside the workspace") {
			t.Errorf("fault %+v", f)
		}
	}
	if strings.Join(faults, " ") != "MEMORY.md memory" || status.Workspaces[0].Files != 1 {
		t.Errorf("faults %q, %d files", faults, status.Workspaces[0].Files)
	}
	answer, err := w.Files(t.Context(), memory.FilesRequest{Paths: []string{"MEMORY.md", "memory/a.md"}})
	if err != nil || !answer.Files[0].Missing || !answer.Files[1].Missing {
		t.Errorf("files %+v, %v", answer, err)
	}
	_, err = w.Store(t.Context(), memory.StoreRequest{Text: "The harbour bell rings at noon"})
	if err == nil || !strings.Contains(err.Error(), "outside of the workspace") {
		t.Errorf("store: %v", err)
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != 1 {
		t.Errorf("outside: %v, %v", entries, err)
	}
}
