package engine_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// A file with several names keeps them. The decision stays in the index, and goes
// to the file with the next decision after the other name is gone.
func TestDecisionKeepsHardLinks(t *testing.T) {
	const text = "- " + owl + "\n"
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n", "memory/2026-11-20.md": text})
	note, other := filepath.Join(w.dir, "memory/2026-11-20.md"), filepath.Join(t.TempDir(), "vault.md")
	if err := os.Link(note, other); err != nil {
		t.Skipf("no hard links here: %v", err)
	}
	linked := func() bool {
		a, err := os.Stat(note)
		b, otherErr := os.Stat(other)
		return errors.Join(err, otherErr) == nil && os.SameFile(a, b)
	}
	a := w.decide(decideRequest(memory.ActionForget, w.idOf(owl)))
	if !linked() || w.read("memory/2026-11-20.md") != text || !w.find(owl).Forgotten {
		t.Errorf("linked %v, %q, %+v", linked(), w.read("memory/2026-11-20.md"), w.find(owl))
	}
	if len(a.Notices) != 1 || !strings.Contains(a.Notices[0], "hard links") {
		t.Errorf("notices %q", a.Notices)
	}
	if _, err := w.Decide(t.Context(), destroyRequest(w.idOf(owl))); !errors.Is(err, memory.ErrConflict) || !strings.Contains(err.Error(), "hard links") {
		t.Errorf("destroy: %v", err)
	}
	if _, err := w.Store(t.Context(), memory.StoreRequest{Text: vault, Force: true}); err != nil || !linked() || w.read("memory/2026-11-20.md") != text+"- "+vault+"\n" {
		t.Errorf("store: %v, linked %v, %q", err, linked(), w.read("memory/2026-11-20.md"))
	}
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	w.decide(decideRequest(memory.ActionPin, w.idOf(owl)))
	if got := w.read("memory/2026-11-20.md"); !strings.Contains(got, "forgotten: 2026") || !strings.Contains(got, "pinned: true") {
		t.Errorf("with one name again: %s", got)
	}
}
