package engine_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// Empty front matter comes back, byte for byte, when a decision is taken back.
func TestDecisionTakenBackLeavesEmptyFrontMatter(t *testing.T) {
	body := "- " + owl + "\n"
	for _, head := range []string{"---\n---\n", "---\n\n---\n", "---\r\n---\r\n", "\xef\xbb\xbf---\n---\n", "---\n# mine\n---\n", "---\n---\n\n", "",
		"---\nmemories: []\n---\n", "---\nmemories: ~\n---\n", "---\nmemories:\n---\n", "---\nmemories: {}\n---\n",
		"---\nmemories: [] # mine\n---\n", "---\nmemories:\n  # mine\n---\n", "---\r\nmemories: null\r\ntags: [a]\r\n---\r\n",
		"\xef\xbb\xbf---\nscope: work\n\nmemories: [ ]\n---\n"} {
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

// Undo returns the lines of the list of decisions that a decision rewrote, byte for byte. What
// else a person wrote into the front matter since stays.
func TestUndoReturnsTheLinesOfTheList(t *testing.T) {
	other := memory.NewID(memory.Fingerprint{1}, 0).InFile()
	for name, list := range map[string]string{
		"empty":                  "memories: []\n",
		"null, with a comment":   "memories: ~   # none yet\n",
		"between brackets":       `memories: [{id: "` + other + `", quote: "The otter", pinned: true}]` + "\n",
		"brackets on many lines": "memories: [\n  {id: \"" + other + "\", quote: \"The otter\",\n   pinned: true},\n]\n",
		"several lines":          "memories:\n  # mine\n  - quote: '" + owl + "'\n    trust: untrusted\n",
		"entry without an id":    "memories:\n  - trust: untrusted\n    quote: \"" + owl + "\"\n",
	} {
		head, tail := "---\nscope: work\n"+list+"# below\n---\n", "- "+owl+"\n- A heron stands in the pond by the weir\n"
		for _, edited := range []bool{false, true} {
			w := newReopenable(t, map[string]string{"MEMORY.md": head + tail})
			want := head + tail
			w.decide(decideRequest(memory.ActionForget, w.idOf(owl)))
			if edited {
				want = "---\ntitle: Birds\nscope: work\n" + list + "# below and more\n---\n" + tail + "- Another line\n"
				now := strings.Replace(w.read("MEMORY.md"), "scope", "title: Birds\nscope", 1)
				w.write("MEMORY.md", strings.Replace(now, "# below", "# below and more", 1)+"- Another line\n")
			}
			w.decide(decideRequest(memory.ActionPin, w.idOf("A heron stands in the pond by the weir")))
			w.decide(memory.DecideRequest{Action: memory.ActionUndo})
			w.decide(memory.DecideRequest{Action: memory.ActionUndo})
			if got := w.read("MEMORY.md"); got != want {
				t.Errorf("%s, edited %v: %q became %q", name, edited, want, got)
			}
		}
	}
}

// A list that a person wrote in another way since keeps the form that the person gave it.
func TestUndoKeepsTheFormOfAnEditedList(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "---\nmemories: []\n---\n- " + owl + "\n"})
	w.decide(decideRequest(memory.ActionPin, w.idOf(owl)))
	w.write("MEMORY.md", strings.Replace(w.read("MEMORY.md"), "memories:", "memories: # mine", 1))
	w.decide(memory.DecideRequest{Action: memory.ActionUndo})
	if got, want := w.read("MEMORY.md"), "---\nmemories: # mine\n---\n- "+owl+"\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The noted list has the quote of a memory, and goes with it.
func TestDestroyDeletesTheNotedList(t *testing.T) {
	const heron = "A heron stands in the pond by the weir"
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + owl + "\n- " + heron + "\n"})
	entry := `{id: "` + w.idOf(owl).InFile() + `", quote: "` + owl + `", pinned: true}`
	w.write("MEMORY.md", "---\nmemories: ["+entry+"]\n---\n"+w.read("MEMORY.md"))
	w.index()
	w.decide(decideRequest(memory.ActionPin, w.idOf(heron)))
	w.decide(destroyRequest(w.idOf(owl)))
	if found := w.filesContaining(owl); len(found) > 0 {
		t.Errorf("the text is still in %v", found)
	}
}
