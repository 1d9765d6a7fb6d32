package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// TestForgottenStaysForgottenBelowAnotherText moves the front matter of a file away from its
// first line, with the index that knows it and with a new one.
func TestForgottenStaysForgottenBelowAnotherText(t *testing.T) {
	for name, move := range map[string]func(head, body string) string{
		"a note above it":        func(head, body string) string { return "- A new note\n" + head + body },
		"another program's":      func(head, body string) string { return "---\ntitle: Notes\n---\n" + head + body },
		"an editor's code block": func(head, body string) string { return "# Notes\n\n```\n" + head + "```\n" + body },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"MEMORY.md": "# House\n\n- " + vaultText + "\n- The brush is dry\n"})
			before := w.read("MEMORY.md")
			w.decide(decideRequest(memory.ActionForget, w.idOf(vaultText)))
			head := strings.TrimSuffix(w.read("MEMORY.md"), before)
			w.write("MEMORY.md", move(head, before))
			w.index()
			if w.visible("zebraquux") {
				t.Error("the forgotten text is back")
			}
			if name != "an editor's code block" { // without an index, it may be an example
				d := newWorld(t, map[string]string{"MEMORY.md": w.read("MEMORY.md")})
				if d.visible("zebraquux") {
					t.Error("a clone shows the forgotten text")
				}
			}
			w.write("MEMORY.md", before)
			w.index()
			if !w.visible("zebraquux") {
				t.Error("the text stays hidden after a person removed its line")
			}
		})
	}
}

// TestJoinedFilesKeepWhatTheyHide writes the files of a workspace into one, as cat does.
func TestJoinedFilesKeepWhatTheyHide(t *testing.T) {
	w := newWorld(t, map[string]string{"memory/a.md": "- The bees swarm in May\n", "memory/b.md": "- " + vaultText + "\n- The brush is dry\n"})
	w.decide(decideRequest(memory.ActionForget, w.idOf(vaultText)))
	w.write("MEMORY.md", w.read("memory/a.md")+w.read("memory/b.md"))
	w.index()
	if w.visible("zebraquux") || !w.visible("bees") {
		t.Error("the joined file shows the forgotten text, or not its own")
	}
	if err := os.Remove(filepath.Join(w.dir, "memory/b.md")); err != nil {
		t.Fatal(err)
	}
	w.index()
	if w.visible("zebraquux") {
		t.Error("the forgotten text is back without its first file")
	}
	w.write("MEMORY.md", w.read("MEMORY.md")+"\n---\nprivate: true\n---\n- The therapist is Doctor Quill\n")
	w.index()
	if w.visible("Quill") {
		t.Error("a private file that was added to another is public")
	}
}

// TestStoredTextNeverDecides checks that a text of an agent becomes no front matter.
func TestStoredTextNeverDecides(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- " + vaultText + "\n"})
	entry := `{id: "` + string(w.idOf(vaultText))[:8] + `", quote: "The vault code", forgotten: true}`
	if _, err := w.Store(t.Context(), memory.StoreRequest{Text: entry}); err == nil {
		t.Error("a line that forgets is stored")
	}
	for _, text := range []string{"Notes:\n---\nprivate: true\n---", "---\nuser: lena\n---\nwords"} {
		if _, err := w.Store(t.Context(), memory.StoreRequest{Text: text}); err != nil || w.find(text).Private {
			t.Errorf("%q: %v", text, err)
		}
	}
	if !w.visible("zebraquux") {
		t.Error("a stored text hides a memory")
	}
}
