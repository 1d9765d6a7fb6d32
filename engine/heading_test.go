package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

const quuxHead = "---\n# " + vaultCode + "\ntitle: \"" + vaultCode + ".\"\nscope: work\n---\n"

const quuxBody = "# Ladders\n\n## " + vaultCode + "\n\n- under this we keep the ladder\n\n**" + vaultCode + ":**\n\n- under this we keep the paint\n\n" +
	"<!--\nnote\n" + vaultCode + "\n-->\n\n- The brush is dry <!-- " + vaultCode + " -->\n\n[" + vaultCode + "]: https://example.org\n[a]: <b> \"" + vaultCode + "\"\n\n" +
	"## Brushes\n\n- the third brush is green\n"

// TestHeadingsAndCommentsThatRepeatAForgottenTextAreLeftOut has a forgotten text at all
// places of a file that are no memory.
func TestHeadingsAndCommentsThatRepeatAForgottenTextAreLeftOut(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- " + vaultCode + "\n- " + heron + "\n", "memory/h.md": quuxHead + quuxBody})
	answers := func() map[string]string {
		t.Helper()
		all := map[string]any{}
		var err error
		check := func(name string, answer any, failed error) {
			if failed != nil {
				t.Fatalf("%s: %v", name, failed)
			}
			all[name] = answer
		}
		list, err := w.List(t.Context(), memory.ListRequest{})
		check("list", list.Memories, err)
		found, err := w.Search(t.Context(), memory.SearchRequest{Query: "where is the ladder, and the paint?"})
		check("search", found.Hits, err)
		recalled, err := w.Recall(t.Context(), memory.RecallRequest{Prompt: "where is the ladder, and the paint?"})
		check("recall", []any{recalled.Hits, recalled.Context}, err)
		shown, err := w.Show(t.Context(), memory.ShowRequest{ID: string(w.idOf("under this we keep the ladder"))})
		check("show", shown.Memory, err)
		preview, err := w.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionPin, IDs: []string{string(shown.ID)}, Preview: true})
		check("decide", preview.Changed, err)
		check("files", w.servedFile("memory/h.md").Content, nil)
		texts := map[string]string{}
		for name, answer := range all {
			text, err := json.Marshal(answer)
			if err != nil {
				t.Fatal(err)
			}
			texts[name] = string(text)
		}
		return texts
	}
	count := func(text string) int { return strings.Count(text, "zebraquux") }
	for name, text := range answers() {
		if count(text) == 0 {
			t.Errorf("%s shows no heading before: %s", name, text)
		}
	}
	w.decide(decideRequest(memory.ActionForget, w.idOf(vaultCode)))
	for name, text := range answers() {
		if count(text) > 0 || !strings.Contains(text, "under this we keep") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if m := w.find("under this we keep the ladder"); strings.Join(m.Heading, "/") != "Ladders/…" {
		t.Errorf("heading %q", m.Heading)
	}
	want := "# Ladders\n\n\n- under this we keep the ladder\n\n\n- under this we keep the paint\n\n\n- The brush is dry \n\n\n## Brushes\n\n- the third brush is green\n"
	if f := w.servedFile("memory/h.md"); strings.ReplaceAll(f.Content, "\n\n\n", "\n\n") != strings.ReplaceAll(want, "\n\n\n", "\n\n") {
		t.Errorf("served:\n%s", f.Content)
	}
	w.decide(decideRequest(memory.ActionRestore, w.idOf(vaultCode)))
	for name, text := range answers() {
		if count(text) == 0 {
			t.Errorf("%s shows no heading after the restore: %s", name, text)
		}
	}
	if f := w.servedFile("memory/h.md"); f.Content != quuxHead+quuxBody || f.Redacted != 0 {
		t.Errorf("restored, and served:\n%s", f.Content)
	}
}

// TestShortHeadingIsLeftOutUnderItsOwnHeadingOnly forgets a short text that two headings
// repeat.
func TestShortHeadingIsLeftOutUnderItsOwnHeadingOnly(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "# Database\n\n- port 5432\n\n## Port 5432\n\n- it is behind the firewall\n\n# Printer\n\n## Port 5432\n\n- it is on the left\n"})
	w.decide(decideRequest(memory.ActionForget, w.idOf("port 5432")))
	for text, want := range map[string]string{"it is behind the firewall": "Database/…", "it is on the left": "Printer/Port 5432"} {
		if m := w.find(text); strings.Join(m.Heading, "/") != want {
			t.Errorf("%q is under %q", text, m.Heading)
		}
	}
	if content := w.servedFile("MEMORY.md").Content; strings.Count(content, "5432") != 1 {
		t.Errorf("served:\n%s", content)
	}
}

func TestHeadingIsHiddenAndShownWithItsDecision(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- " + heron + "\n\n# " + heron + "\n\n- it is behind the firewall\n"})
	heading := func() string { return strings.Join(w.find("it is behind the firewall").Heading, "/") }
	for _, step := range []struct {
		action memory.Action
		want   string
	}{{memory.ActionPin, heron}, {memory.ActionForget, "…"}, {memory.ActionRestore, heron}} {
		w.decide(decideRequest(step.action, w.idOf(heron)))
		if got := heading(); got != step.want {
			t.Errorf("after %s the heading is %q", step.action, got)
		}
	}
}
