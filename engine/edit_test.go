package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

func (w *world) edit(was, text string) memory.ChangeAnswer {
	w.t.Helper()
	a, err := w.Edit(w.t.Context(), memory.EditRequest{ID: string(w.idOf(was)), Was: was, Text: text})
	if err != nil {
		w.t.Fatalf("edit %q: %v", was, err)
	}
	return a
}

func TestEditKeepsWhatIsAroundTheText(t *testing.T) {
	for _, test := range []struct{ name, file, was, text, want string }{
		{"a bullet", "# A\n\n- one cat\n- two dogs live here\n- three", "two dogs live here", "two cats live here", "# A\n\n- one cat\n- two cats live here\n- three"},
		{"a mark", "- the port is 8081   <!-- importance: 9 -->\n- other\n", "the port is 8081", "the port is 8082", "- the port is 8082   <!-- importance: 9 -->\n- other\n"},
		{"two lines", "* the first line of it\n  and the second one\n* other\n", "the first line of it\nand the second one", "the first line of it\nand the third one", "* the first line of it\n  and the third one\n* other\n"},
		{"a paragraph", "One thing is here.\n\nThe other thing is there.\n", "The other thing is there.", "The other thing is gone.", "One thing is here.\n\nThe other thing is gone.\n"},
		{"carriage returns", "- one cat\r\n- two dogs live here\r\n", "two dogs live here", "two cats live here", "- one cat\r\n- two cats live here\r\n"},
		{"front matter", "---\nscope: work\n---\n- two dogs live here\n", "two dogs live here", "two big dogs live here", "---\nscope: work\n---\n- two big dogs live here\n"},
		{"more lines than before", "- two dogs live here\n- other\n", "two dogs live here", "two dogs live here\nwith a cat", "- two dogs live here\n  with a cat\n- other\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"MEMORY.md": test.file})
			id := w.idOf(test.was)
			a := w.edit(test.was, test.text)
			if got := w.read("MEMORY.md"); got != test.want {
				t.Errorf("the file is\n%q, want\n%q", got, test.want)
			}
			if len(a.Changed) != 1 || a.Changed[0].ID != id || a.Changed[0].Text != test.text {
				t.Errorf("answer %+v", a.Changed)
			}
			if n := len(w.searchHits(test.text)); n == 0 {
				t.Error("search does not find it")
			}
			w.decide(memory.DecideRequest{Action: memory.ActionUndo})
			if got := w.read("MEMORY.md"); got != test.file {
				t.Errorf("after undo the file is\n%q", got)
			}
		})
	}
}

func TestEditRefusesWhatWouldHarm(t *testing.T) {
	const file = "# A\n\n- two dogs live here\n- the cat is out\n- the cat has a name ^cat\n"
	for _, test := range []struct{ name, was, text string }{
		{"another text was seen", "two dogs lived here", "two cats live here"},
		{"two memories in one", "two dogs live here", "two dogs live here\n\n- and a cat"},
		{"a heading", "two dogs live here", "two dogs live here\n# Other"},
		{"an open fence", "two dogs live here", "two dogs live here\n```"},
		{"an open comment", "two dogs live here", "two dogs <!-- live here"},
		{"a mark", "two dogs live here", "two dogs live here <!-- private: true -->"},
		{"the same", "two dogs live here", "two dogs live here"},
		{"a fence around its block id", "the cat has a name", "```\nx"},
		{"nothing", "two dogs live here", " \n "},
		{"too much", "two dogs live here", strings.Repeat("dogs ", 3000)},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"MEMORY.md": file})
			a, err := w.Edit(t.Context(), memory.EditRequest{ID: string(w.idOf("two dogs live here")), Was: test.was, Text: test.text})
			if err == nil {
				// A text that is written so that it reads back the same does no harm.
				if w.find("the cat is out"); a.Changed[0].Text != strings.TrimSpace(test.text) {
					t.Errorf("edited to %q, the file is\n%s", a.Changed[0].Text, w.read("MEMORY.md"))
				}
				return
			}
			if !errors.Is(err, memory.ErrConflict) && !errors.Is(err, memory.ErrInvalid) {
				t.Errorf("error %v", err)
			}
			if got := w.read("MEMORY.md"); got != file {
				t.Errorf("the file is\n%q", got)
			}
		})
	}
}

func TestUndoOfAnEditRefusesAfterAnotherEdit(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- two dogs live here\n"})
	w.edit("two dogs live here", "two cats live here")
	w.write("MEMORY.md", "- two big cats live here\n")
	w.index()
	if _, err := w.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionUndo}); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("error %v, and the file is %s", err, w.read("MEMORY.md"))
	}
}

func TestEditRefusesForgottenAndGone(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- two dogs live here\n- the cat is out\n"})
	id := string(w.idOf("two dogs live here"))
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{id}})
	if _, err := w.Edit(t.Context(), memory.EditRequest{ID: id, Was: "two dogs live here", Text: "two cats live here"}); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("forgotten: %v", err)
	}
	cat := string(w.idOf("the cat is out"))
	w.write("MEMORY.md", "")
	if _, err := w.Edit(t.Context(), memory.EditRequest{ID: cat, Was: "the cat is out", Text: "the cat is in"}); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("gone: %v", err)
	}
}

func TestDestroyRemovesTheTextsOfEdits(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- the vault code of the ferry office is zq4711\n"})
	w.edit("the vault code of the ferry office is zq4711", "the vault code of the ferry office is zq4712")
	a := w.decide(memory.DecideRequest{Action: memory.ActionDestroy, IDs: []string{string(w.idOf("the vault code of the ferry office is zq4712"))}, Confirm: true})
	if a.Scan == nil || a.Scan.Found != 0 {
		t.Errorf("found after destroy: %+v", a.Scan)
	}
}
