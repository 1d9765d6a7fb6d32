package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// TestDecisionRefreshesTheStaleQuotesOfItsFile edits two decided texts, and then
// decides about a third one of the same file.
func TestDecisionRefreshesTheStaleQuotesOfItsFile(t *testing.T) {
	w := newWorld(t, map[string]string{
		"MEMORY.md":   "- The ferry to the island leaves at nine\n- The locker in the harbour opens with 4711\n- Ada keeps a grey parrot called Babbage\n",
		"memory/b.md": "- The buoy at the pier is red and old\n"})
	decide := func(action memory.Action, text string) {
		t.Helper()
		r := memory.DecideRequest{Action: action, IDs: []string{string(w.shown(text).ID)}}
		must.Get(w.Decide(t.Context(), r))(t)
	}
	stale := func() int {
		t.Helper()
		must.Get(w.Index(t.Context(), memory.IndexRequest{}, nil))(t)
		status := must.Get(w.Status(t.Context()))(t)
		return status.Workspaces[0].StaleQuotes
	}
	decide(memory.ActionPin, "ferry")
	decide(memory.ActionPin, "buoy")
	decide(memory.ActionForget, "locker")
	edit := strings.NewReplacer("- The ferry", "- Our ferry", "- The locker", "- Our locker", "- The buoy", "- Our buoy")
	for _, path := range []string{"MEMORY.md", "memory/b.md"} {
		w.write(path, edit.Replace(readText(t, filepath.Join(w.dir, path))))
	}
	if n := stale(); n != 3 {
		t.Fatalf("%d stale quotes after the edit", n)
	}
	decide(memory.ActionPin, "parrot")
	if n := stale(); n != 1 {
		t.Errorf("%d stale quotes after a decision in MEMORY.md, want that of memory/b.md", n)
	}
	text, err := os.ReadFile(filepath.Join(w.dir, "MEMORY.md"))
	if err != nil || !strings.Contains(string(text), `quote: "Our ferry to the island leaves at nine", pinned: true}`) ||
		!strings.Contains(string(text), `quote: "Our locker in the harbour opens with 4711", forgotten: 2026-11-2`) {
		t.Errorf("%v\n%s", err, text)
	}
}
