package engine_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// TestAQuestionForARowAndAColumnGetsTheTable names a row by another column than the first
// one, and the column of the answer.
func TestAQuestionForARowAndAColumnGetsTheTable(t *testing.T) {
	w := newWorld(t, map[string]string{
		"MEMORY.md": "# Machines\n\n| Host | Port | Use | Rack |\n|---|---|---|---|\n| Orion | 5433 | invoices | 4 |\n| Lyra | 6000 | newsletter |  |\n"})
	for prompt, want := range map[string]string{
		"Which port number do I have to open on the firewall for invoices?": "5433",
	} {
		answer, err := w.Recall(t.Context(), memory.RecallRequest{Prompt: prompt})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(answer.Context, want) {
			t.Errorf("%q: %q, want %q", prompt, answer.Context, want)
		}
	}
}
