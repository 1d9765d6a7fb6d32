package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// TestEditedTextOfAPendingForgettingStaysForgotten cuts a forgotten text and pastes it
// back edited, before a file has the line that forgets it.
func TestEditedTextOfAPendingForgettingStaysForgotten(t *testing.T) {
	const code = "The vault code of the zebraquux house is four seven one one"
	const edited = code + ", as of May"
	note := "- " + owl + "\n"
	for name, tt := range map[string]struct {
		forget func(w *reopenable, id memory.ID) // and cut the text
	}{
		"a file that cannot be written": {func(w *reopenable, id memory.ID) {
			w.replace(pendingNote, note+"- "+code+"\n", 0o444)
			w.decide(decideRequest(memory.ActionForget, id))
			w.replace(pendingNote, note, 0o444)
			w.index()
		}},
		"a file that is gone": {func(w *reopenable, id memory.ID) {
			w.remove(pendingNote)
			w.index()
			w.decide(decideRequest(memory.ActionForget, id))
		}},
		"one save, with an edit": {func(w *reopenable, id memory.ID) {
			w.replace(pendingNote, note+"- "+code+"\n", 0o444)
			w.decide(decideRequest(memory.ActionForget, id))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n", pendingNote: note + "- " + code + "\n"})
			id := w.idOf(code)
			tt.forget(w, id)
			w.replace(pendingNote, note+"- "+edited+"\n", 0o444)
			w.index()
			hidden := w.find(edited)
			if !hidden.Forgotten {
				t.Fatalf("the edited text is visible: %+v", hidden)
			}
			if w.find(owl).Forgotten {
				t.Error("another memory is withheld")
			}
			if hidden.ID == id {
				return // it is the same memory
			}
			must.Do(t, os.Chmod(filepath.Join(w.dir, pendingNote), 0o600))
			w.index() // writes the pending line
			if !w.find(edited).Forgotten {
				t.Error("visible after the line was written")
			}
			w.index()
			w.decide(decideRequest(memory.ActionRestore, hidden.ID))
			for range 2 {
				if w.find(edited).Forgotten {
					t.Error("restored, and still withheld")
				}
				w.index()
			}
		})
	}
}

// replace replaces a file as an editor does, by renaming another one.
func (w *reopenable) replace(path, text string, mode os.FileMode) {
	w.t.Helper()
	temp := filepath.Join(w.dir, "new")
	must.Do(w.t, os.WriteFile(temp, []byte(text), mode))
	must.Do(w.t, os.Rename(temp, filepath.Join(w.dir, path)))
}

func (w *reopenable) remove(path string) {
	w.t.Helper()
	must.Do(w.t, os.Remove(filepath.Join(w.dir, path)))
}
