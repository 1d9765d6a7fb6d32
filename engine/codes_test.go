package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// TestAnotherCodeIsNotInjected asks for codes. Memories about another one of the series
// stood in the block, with 50 to 90 %.
func TestAnotherCodeIsNotInjected(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": `# Tickets

- HYD-3321 the pump loses pressure above 40 degrees
- HYD-3310 the seal was replaced in May
- After HYD-3310 came HYD-3355, about the valve
- The status of ELM 4711 is open

# SSH

- Use port 3312 for ssh to the pump
`})
	for prompt, want := range map[string][]string{
		"HYD-3312":                           nil,
		"what is HYD-3312 about?":            nil,
		"what is the status of HYD-3312?":    nil,
		"HYD-3321":                           {"HYD-3321"},
		"what is hyd-3310?":                  {"HYD-3310", "HYD-3355"},
		"what is the status of ELM-4711?":    {"4711"},
		"what does the pump lose, HYD-3321?": {"HYD-3321"},
	} {
		answer, err := w.Recall(t.Context(), memory.RecallRequest{Prompt: prompt})
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, h := range answer.Hits {
			texts = append(texts, h.Text)
		}
		for _, part := range want {
			if !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, part) }) {
				t.Errorf("%q: %s is missing in %q", prompt, part, texts)
			}
		}
		asked := strings.ToUpper(prompt)
		for _, text := range texts {
			if at := strings.Index(text, "HYD-"); at >= 0 && !slices.ContainsFunc(strings.Fields(text), func(word string) bool {
				return strings.HasPrefix(word, "HYD-") && strings.Contains(asked, strings.Trim(word, ","))
			}) {
				t.Errorf("%q: %q is about another code", prompt, text)
			}
		}
		if want == nil && strings.HasPrefix(prompt, "HYD") && len(texts) > 0 {
			t.Errorf("%q: nothing has this code, and the block has %q", prompt, texts)
		}
	}
}

// TestAnotherCodeOfAYearIsNotInjected asks for an invoice. The one before it stood in the
// block.
func TestAnotherCodeOfAYearIsNotInjected(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- INV-2026-014 is paid\n- The dentist is in Lime Street\n"})
	for prompt, want := range map[string]bool{"Is INV-2026-015 paid?": false, "Is INV-2026-014 paid?": true, "Which of INV-2026 are paid?": true} {
		answer, err := w.Recall(t.Context(), memory.RecallRequest{Prompt: prompt})
		if err != nil {
			t.Fatal(err)
		}
		if found := len(answer.Hits) > 0; found != want {
			t.Errorf("%q: the invoice is injected: %t, want %t", prompt, found, want)
		}
	}
}
