package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// The file is gone with the line that forgets the memory. A restore holds when the
// file returns with its line, in every copy and after a restart. The next decision
// removes the line.
func TestRestoreOfAMissingMemoryHoldsWhenItsFileReturns(t *testing.T) {
	for _, undo := range []bool{false, true} {
		w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n", "memory/a.md": "- " + owl + "\n", "memory/b.md": "- " + owl + "\n"})
		id := w.find(owl).ID
		path := w.find(owl).Path
		w.decide(decideRequest(memory.ActionForget, id))
		withLine := w.read(path)
		if !strings.Contains(withLine, "forgotten") {
			t.Fatal(withLine)
		}
		file := filepath.Join(w.dir, path)
		must := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		must(os.Remove(file))
		w.index()
		r := decideRequest(memory.ActionRestore, id)
		if undo {
			r = memory.DecideRequest{Action: memory.ActionUndo}
		}
		if a := w.decide(r); len(a.Changed) == 0 {
			t.Errorf("undo %v: %+v", undo, a)
		}
		w.write(path, withLine)
		w.index()
		for range 2 {
			if list, err := w.List(t.Context(), memory.ListRequest{}); err != nil || list.Total != 3 {
				t.Errorf("undo %v: the file returned, and %d of 3 memories are visible, %v", undo, list.Total, err)
			}
			must(w.Close())
			w.open()
		}
		w.decide(decideRequest(memory.ActionPin, w.idOf(heron)))
		if got := w.read(path); got != "- "+owl+"\n" {
			t.Errorf("undo %v: the next decision leaves %q", undo, got)
		}
		// The line is a decision again when a person forgets the memory again.
		w.decide(decideRequest(memory.ActionForget, id))
		if m := w.find(owl); !m.Forgotten || w.read(path) != withLine {
			t.Errorf("undo %v: forgotten again: %+v\n%s", undo, m, w.read(path))
		}
	}
}

// The line that was revoked stays in its file until the next decision. An edit of that file
// does not make it a decision again, and neither does a decision that writes there.
func TestARevokedLineStaysRevoked(t *testing.T) {
	for name, change := range map[string]func(w *reopenable, withLine string){
		"a line by hand":          func(w *reopenable, withLine string) { w.write("MEMORY.md", withLine+"- One more line\n") },
		"a decision in this file": func(w *reopenable, _ string) { w.decide(decideRequest(memory.ActionPin, w.idOf(heron))) },
	} {
		w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n"})
		w.decide(decideRequest(memory.ActionForget, w.find(owl).ID))
		withLine := w.read("MEMORY.md")
		if err := os.Remove(filepath.Join(w.dir, "MEMORY.md")); err != nil {
			t.Fatal(err)
		}
		w.index()
		w.decide(memory.DecideRequest{Action: memory.ActionUndo})
		w.write("MEMORY.md", withLine)
		w.index()
		change(w, withLine)
		w.index()
		if m := w.find(owl); m.Forgotten {
			t.Errorf("%s: forgotten again", name)
		}
		w.decide(decideRequest(memory.ActionArchive, w.idOf(heron)))
		if got := w.read("MEMORY.md"); strings.Contains(got, "forgotten") {
			t.Errorf("%s: the next decision leaves %q", name, got)
		}
	}
}
