package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// TestNotesOfAnotherTimeAreLeftOut asks what was painted last week. Every note with
// "painted" was injected, of any month.
func TestNotesOfAnotherTimeAreLeftOut(t *testing.T) {
	w := newWorld(t, map[string]string{ // it is 21 November 2026 in Tokyo
		"memory/2026-11-11.md": "- Painted the marble bust\n",
		"memory/2026-07-21.md": "- Painted the tin roof\n- Will be painted on 12 November 2026: the harbour lamp\n",
		"memory/2026-03-02.md": "- Painted a clay oven\n",
		"MEMORY.md":            "- The shed is painted red\n",
	})
	for prompt, want := range map[string][]string{
		"What did I paint last week?":       {"bust", "lamp", "red"},
		"What did I paint on 2 March 2026?": {"oven", "red"},
		"What did I paint on 2026-04-03?":   {"bust", "lamp", "oven", "red", "roof"}, // nothing is of that time
		"What did I paint?":                 {"bust", "lamp", "oven", "red", "roof"},
	} {
		answer, err := w.Recall(t.Context(), memory.RecallRequest{Prompt: prompt})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range answer.Hits {
			words := strings.Fields(h.Text)
			got = append(got, words[len(words)-1])
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%q gets %q, want %q", prompt, got, want)
		}
	}
	roof := w.whyNot(w.idOf("Painted the tin roof"), memory.WhyNotRequest{Query: "What did I paint last week?"})
	if roof.Reason != memory.ReasonOtherTime || roof.Detail == "" {
		t.Errorf("why-not: %q, %q", roof.Reason, roof.Detail)
	}
}
