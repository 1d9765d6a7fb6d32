package engine_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// TestForgottenTextIsInNoInset writes a forgotten text into what a memory contains beside its words.
func TestForgottenTextIsInNoInset(t *testing.T) {
	for _, text := range []string{vault, "The PIN is 4711"} {
		w := newWorld(t, map[string]string{"MEMORY.md": "# Keys\n\n- " + text + "\n- one is here\n"})
		for _, m := range w.list(memory.ListRequest{}) {
			if m.Text == text {
				w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(m.ID)}})
			}
		}
		for name, inset := range map[string]string{"text of an image": "![TEXT](x.png)", "title of a link": "[two](http://x.y \"TEXT\")", "title in parentheses": "[two](<x.y> (TEXT))",
			"title of an image": "![two](x.png 'TEXT')", "embedded file": "![[x.png|TEXT]]", "attribute": "<img alt=\"TEXT\">", "comment": "<!-- TEXT -->", "definition": "[two][1]\n\n[1]: x.y \"TEXT\"\n"} {
			w.write("memory/two.md", "# Keys\n\n- Number two: "+strings.ReplaceAll(inset, "TEXT", text)+" is here\n")
			w.index()
			for _, m := range w.listPath("memory/two.md") {
				if strings.Contains(m.Text, text) {
					t.Errorf("%s: %q", name, m.Text)
				}
			}
		}
	}
}
