package engine_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

const falconText = "The spare vault combination is mauve falcon seven and it is behind the painting"

// TestHeadingMadeOfAForgottenTextIsLeftOut replaces a forgotten bullet by a heading with
// its text or a part of it. A clone has the same files and a new index.
func TestHeadingMadeOfAForgottenTextIsLeftOut(t *testing.T) {
	for name, tt := range map[string]struct{ text, into, inFirst, inClone string }{
		"the whole text":        {falconText, "## " + falconText + "\n", "…", "…"},
		"with another end":      {falconText, "## " + falconText + " now\n", "…", "…"},
		"a short text":          {"code mauve falcon", "## Code mauve falcon\n", "…", "…"},
		"the first half":        {falconText, "## The spare vault combination is mauve falcon seven\n\n- it is behind the painting\n", "…", "…"},
		"the second half":       {falconText, "## Mauve falcon seven and it is behind the painting\n\n- Nobody knows\n", "…", ""},
		"less than six words":   {falconText, "## The spare vault combination\n", "", ""},
		"other words between":   {falconText, "## The spare vault combination is behind the painting\n", "", ""},
		"one word":              {"Vault", "## Vault\n", "…", ""},
		"a short text and more": {"code mauve falcon", "## Code mauve falcon and owl\n", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			heading := strings.TrimPrefix(strings.SplitN(tt.into, "\n", 2)[0], "## ")
			w := newReopenable(t, map[string]string{"MEMORY.md": "# House\n\n- " + tt.text + "\n- " + heron + "\n"})
			w.decide(decideRequest(memory.ActionForget, w.idOf(tt.text)))
			if got := w.headingOf(heron); got != "House" {
				t.Fatalf("before, the heading is %q", got)
			}
			w.write("MEMORY.md", strings.Replace(w.read("MEMORY.md"), "- "+tt.text+"\n", tt.into, 1))
			w.index()
			check := func(where, want string) {
				t.Helper()
				if want == "" {
					want = heading
				}
				if got := w.headingOf(heron); got != "House/"+want {
					t.Errorf("%s: the heading is %q", where, got)
				}
				shows := strings.Contains(w.servedFile("MEMORY.md").Content, "## "+heading)
				if where == "clone" && !shows {
					return // the line matches no text, and withholds the file
				}
				if shows != (want == heading) {
					t.Errorf("%s: the served file shows the heading: %v", where, shows)
				}
			}
			check("first index", tt.inFirst)
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			w.db = filepath.Join(t.TempDir(), "tiered.db")
			w.open()
			check("clone", tt.inClone)
			body := w.read("MEMORY.md")
			w.write("MEMORY.md", body[strings.Index(body, "# House"):])
			w.index()
			check("clone without the line", "")
		})
	}
}

func (w *world) headingOf(text string) string { return strings.Join(w.find(text).Heading, "/") }

// TestHeadingMadeOfAForgottenTextReturnsWithARestore restores a text whose half became a
// heading.
func TestHeadingMadeOfAForgottenTextReturnsWithARestore(t *testing.T) {
	const half = "The spare vault combination is mauve falcon seven"
	w := newWorld(t, map[string]string{"MEMORY.md": "# House\n\n- " + falconText + "\n- " + heron + "\n"})
	id := w.idOf(falconText)
	w.decide(decideRequest(memory.ActionForget, id))
	w.write("MEMORY.md", strings.Replace(w.read("MEMORY.md"), "- "+falconText, "## "+half+"\n", 1))
	w.index()
	if got := w.headingOf(heron); got != "House/…" {
		t.Errorf("forgotten: the heading is %q", got)
	}
	w.decide(decideRequest(memory.ActionRestore, id))
	if got := w.headingOf(heron); got != "House/"+half {
		t.Errorf("restored: the heading is %q", got)
	}
}

// TestHeadingMadeOfATextThatIsForgottenAloneStays forgets one memory without its copies.
func TestHeadingMadeOfATextThatIsForgottenAloneStays(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "# House\n\n- " + falconText + "\n- " + heron + "\n"})
	r := decideRequest(memory.ActionForget, w.idOf(falconText))
	r.Only = true
	w.decide(r)
	w.write("MEMORY.md", strings.Replace(w.read("MEMORY.md"), "- "+falconText, "## "+falconText+"\n", 1))
	w.index()
	if got := w.headingOf(heron); got != "House/"+falconText {
		t.Errorf("the heading is %q", got)
	}
}
