package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// TestEditedCopyOfAForgottenTextStaysForgotten edits a copy that is forgotten only
// because another memory with its text is.
func TestEditedCopyOfAForgottenTextStaysForgotten(t *testing.T) {
	const text, edited = "The staging vault swordfish is under seven blankets today", "The staging vault swordfish is under seven blankets tomorrow"
	w := newWorld(t, map[string]string{"memory/a.md": "- Gardens need water\n- " + text + "\n", "memory/b.md": "- Bees are here\n- " + text + "\n"})
	first, second := w.listPath("memory/a.md")[1], w.listPath("memory/b.md")[1]
	w.decide(decideRequest(memory.ActionForget, first.ID))
	if a := w.decide(decideRequest(memory.ActionForget, second.ID)); len(a.Unchanged) != 1 {
		t.Fatalf("the copy is not forgotten: %+v", a)
	}
	w.write("memory/b.md", "- Bees are here\n- "+edited+"\n")
	w.index()
	if m := w.listForgotten("memory/b.md"); len(m) != 1 || m[0].ID != second.ID || m[0].Text != edited {
		t.Fatalf("forgotten in memory/b.md: %+v", m)
	}
	w.index()
	if got := w.read("memory/b.md"); !strings.Contains(got, "forgotten: ") {
		t.Errorf("the decision is not in the file: %q", got)
	}
	if err := os.Remove(filepath.Join(w.dir, "memory/a.md")); err != nil {
		t.Fatal(err)
	}
	w.index()
	if n := w.exactHits(edited); n != 0 {
		t.Errorf("%d hits after its copy is gone", n)
	}
	w.decide(decideRequest(memory.ActionRestore, second.ID))
	if n := w.exactHits(edited); n != 1 {
		t.Errorf("%d hits after restore", n)
	}
}

// TestRestoredTextIsVisibleAfterAnEdit removes the line that forgets a text, and edits
// a copy of the text later.
func TestRestoredTextIsVisibleAfterAnEdit(t *testing.T) {
	const text = "The staging vault swordfish is under seven blankets today"
	w := newWorld(t, map[string]string{"memory/a.md": "- Gardens need water\n- " + text + "\n", "memory/b.md": "- Bees are here\n- " + text + "\n"})
	w.decide(decideRequest(memory.ActionForget, w.listPath("memory/a.md")[1].ID))
	w.write("memory/a.md", "- Gardens need water\n- "+text+"\n")
	w.index()
	w.write("memory/b.md", "- Bees are here\n- "+text+" and tomorrow\n")
	w.index()
	if n := w.exactHits(text) + w.exactHits(text+" and tomorrow"); n != 2 {
		t.Errorf("%d hits", n)
	}
}
