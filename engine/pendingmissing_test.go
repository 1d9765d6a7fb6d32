package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// cutOwl removes the text of the pending decision from its file.
func (w *reopenable) cutOwl() {
	w.t.Helper()
	w.setMode(0o644)
	w.write(pendingNote, "- "+vault+"\n")
	w.setMode(0o444)
	w.index()
}

// The text of a pending decision is cut from its file, which can be written only then,
// and is pasted back with one word more.
func TestPendingDecisionAboutAMissingMemoryIsWritten(t *testing.T) {
	w := newPending(t)
	id := w.idOf(owl)
	w.cutOwl()
	w.isPending(1, pendingNote+" cannot be written")
	w.setMode(0o644)
	w.decide(decideRequest(memory.ActionPin, w.idOf(heron)))
	if got := w.read(pendingNote); strings.Count(got, id.InFile()) != 1 || !strings.Contains(got, "forgotten: 2026") {
		t.Fatalf("the file is %q", got)
	}
	w.isPending(0, "")
	w.write(pendingNote, w.read(pendingNote)+"- "+owl+" now\n")
	w.index()
	if m := w.find(owl + " now"); !m.Forgotten {
		t.Errorf("the returned text: %+v", m)
	}
}

func TestPendingDecisionStaysPendingWhenItsFileIsGone(t *testing.T) {
	w := newPending(t)
	w.cutOwl()
	if err := os.Remove(filepath.Join(w.dir, pendingNote)); err != nil {
		t.Fatal(err)
	}
	w.index()
	w.isPending(1, pendingNote+" is gone")
	w.write(pendingNote, "- "+vault+"\n")
	w.index()
	w.index()
	if got := w.read(pendingNote); !strings.Contains(got, "forgotten: 2026") {
		t.Errorf("the file returned and is %q", got)
	}
	w.isPending(0, "")
}
