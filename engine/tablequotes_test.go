package engine_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

const (
	secretTable = "| Name | Phone | Role |\n|------|-------|------|\n| Mauve Secret | 030 1111 | lover |\n| Teal Hidden | 030 2222 | dealer |\n"
	workTable   = "| Name | Phone | Role |\n|------|-------|------|\n| Clara Holm | 030 3333 | dentist |\n| Dieter Vogt | 030 4444 | notary |\n"
)

// TestDecisionStaysWithItsTable decides about one of two tables with the same columns,
// edits a cell of it, and opens the folder with a new index.
func TestDecisionStaysWithItsTable(t *testing.T) {
	for _, action := range []memory.Action{memory.ActionForget, memory.ActionPin} {
		w := newWorld(t, map[string]string{"MEMORY.md": "# Bank\n\n" + secretTable + "\n# Work\n\n" + workTable})
		if _, err := w.Decide(t.Context(), memory.DecideRequest{Action: action, IDs: []string{string(w.shown("Mauve").ID)}}); err != nil {
			t.Fatal(err)
		}
		w.write("MEMORY.md", strings.Replace(readText(t, filepath.Join(w.dir, "MEMORY.md")), "030 2222", "030 7777", 1))
		clone := newWorld(t, map[string]string{"MEMORY.md": readText(t, filepath.Join(w.dir, "MEMORY.md"))})
		if clone.shown("Clara").Pinned {
			t.Errorf("%s: the other table is pinned", action)
		}
		if action == memory.ActionPin && !clone.shown("Mauve").Pinned {
			t.Errorf("the pin is lost:\n%s", readText(t, filepath.Join(w.dir, "MEMORY.md")))
		}
		if action == memory.ActionForget && clone.visible("Mauve") {
			t.Error("the forgotten table is visible")
		}
	}
}

// TestForgottenTableStaysHiddenAfterManyEdits changes and removes rows of a forgotten table, and
// opens the folder with a new index, which does not know the former cells. So that index
// withholds the whole file.
func TestForgottenTableStaysHiddenAfterManyEdits(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "# Bank\n\n" + secretTable + "\n# Work\n\n" + workTable})
	if _, err := w.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(w.shown("Mauve").ID)}}); err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(readText(t, filepath.Join(w.dir, "MEMORY.md")), "| Teal Hidden | 030 2222 | dealer |\n", "| Rose Quiet | 040 5555 | cook |\n", 1)
	clone := newWorld(t, map[string]string{"MEMORY.md": strings.Replace(text, "| 030 1111 | lover |", "| 040 7777 | friend |", 1)})
	if clone.visible("Mauve") || clone.visible("Clara") {
		t.Errorf("the forgotten table is visible: %t, the other one: %t", clone.visible("Mauve"), clone.visible("Clara"))
	}
}

// TestTableQuotedByAnOlderVersionKeepsItsDecision opens lines that quote the names of
// the columns, and then decides about another memory of the file.
func TestTableQuotedByAnOlderVersionKeepsItsDecision(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "# Bank\n\n" + secretTable + "\n# Work\n\n" + workTable + "\n- The buoy is red\n"})
	head := "---\nmemories:\n" +
		"  - {id: \"" + w.shown("Mauve").ID.InFile() + "\", quote: \"| Name | Phone | Role | |------|-------|------|\", forgotten: 2026-11-20}\n" +
		"  - {id: \"" + w.shown("Clara").ID.InFile() + "\", quote: \"| Name | Phone | Role | |------|-------|------|\", pinned: true}\n---\n"
	old := newWorld(t, map[string]string{"MEMORY.md": head + readText(t, filepath.Join(w.dir, "MEMORY.md"))})
	status, err := old.Status(t.Context())
	if err != nil || status.Workspaces[0].StaleQuotes != 0 || old.visible("Mauve") || !old.shown("Clara").Pinned {
		t.Fatalf("%v, %d stale quotes, shown %v, pinned %t", err, status.Workspaces[0].StaleQuotes, old.visible("Mauve"), old.shown("Clara").Pinned)
	}
	if _, err := old.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionPin, IDs: []string{string(old.shown("buoy").ID)}}); err != nil {
		t.Fatal(err)
	}
	text := readText(t, filepath.Join(old.dir, "MEMORY.md"))
	if !strings.Contains(text, `quote: "Mauve Secret 030 1111 lover Teal Hidden 030", forgotten`) || !strings.Contains(text, `quote: "Clara Holm 030 3333 dentist Dieter Vogt 030", pinned`) {
		t.Error(text)
	}
}
