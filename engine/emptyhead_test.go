package engine_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// Empty front matter comes back, byte for byte, when a decision is taken back.
func TestDecisionTakenBackLeavesEmptyFrontMatter(t *testing.T) {
	body := "- " + owl + "\n"
	for _, head := range []string{"---\n---\n", "---\n\n---\n", "---\r\n---\r\n", "\xef\xbb\xbf---\n---\n", "---\n# mine\n---\n", "---\n---\n\n", ""} {
		w := newReopenable(t, map[string]string{"MEMORY.md": head + body})
		for range 2 {
			w.decide(decideRequest(memory.ActionForget, w.idOf(owl)))
			w.decide(memory.DecideRequest{Action: memory.ActionUndo})
			w.decide(decideRequest(memory.ActionPin, w.idOf(owl)))
			if !strings.Contains(w.read("MEMORY.md"), "pinned: true") {
				t.Errorf("%q: %q", head, w.read("MEMORY.md"))
			}
			w.decide(decideRequest(memory.ActionUnpin, w.idOf(owl)))
			if got := w.read("MEMORY.md"); got != head+body {
				t.Errorf("%q became %q", head+body, got)
			}
		}
		// A person removes the front matter: it does not come back.
		w.write("MEMORY.md", body)
		w.decide(decideRequest(memory.ActionPin, w.idOf(owl)))
		w.decide(decideRequest(memory.ActionUnpin, w.idOf(owl)))
		if got := w.read("MEMORY.md"); got != body {
			t.Errorf("%q: without front matter it became %q", head, got)
		}
	}
}
