package engine_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
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
		must.Get(w.Decide(t.Context(), memory.DecideRequest{Action: action, IDs: []string{string(w.shown("Mauve").ID)}}))(t)
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
	must.Get(w.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(w.shown("Mauve").ID)}}))(t)
	text := strings.Replace(readText(t, filepath.Join(w.dir, "MEMORY.md")), "| Teal Hidden | 030 2222 | dealer |\n", "| Rose Quiet | 040 5555 | cook |\n", 1)
	clone := newWorld(t, map[string]string{"MEMORY.md": strings.Replace(text, "| 030 1111 | lover |", "| 040 7777 | friend |", 1)})
	if clone.visible("Mauve") || clone.visible("Clara") {
		t.Errorf("the forgotten table is visible: %t, the other one: %t", clone.visible("Mauve"), clone.visible("Clara"))
	}
}
