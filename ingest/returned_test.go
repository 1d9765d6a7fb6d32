package ingest_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

const (
	vault       = "The vault code of the zebraquux house is four seven one one"
	vaultEdited = "The vault code of the zebraquux house is four seven one one, as of May"
	tulips      = "Other thing about gardens and tulips in spring"
)

// TestForgottenTextThatReturnsEditedStaysForgotten takes a forgotten text away for a
// moment and brings it back with an edit. Its line stays or returns with it.
func TestForgottenTextThatReturnsEditedStaysForgotten(t *testing.T) {
	tests := []struct {
		name string
		away func(w *world, line string)
		back string // the file to which the text returns
	}{
		{"cut, saved and pasted", func(w *world, line string) {
			w.write("MEMORY.md", append(frontMatterWith(line), "- "+tulips)...)
		}, "MEMORY.md"},
		{"the file is emptied first", func(w *world, _ string) { w.write("MEMORY.md", "") }, "MEMORY.md"},
		{"the file is gone for a moment", func(w *world, _ string) { w.write("MEMORY.md") }, "MEMORY.md"},
		{"pasted into another file", func(w *world, line string) {
			w.write("MEMORY.md", append(frontMatterWith(line), "- "+tulips)...)
		}, "memory/other.md"},
		{"its line is in the decisions file", func(w *world, line string) {
			line = strings.Replace(line, "quote:", `path: "MEMORY.md", quote:`, 1)
			w.write(memory.DecisionsFile, "memories:", line)
			w.write("MEMORY.md", "- "+vault, "- "+tulips)
			w.scan()
			w.write("MEMORY.md", "- "+tulips)
		}, "MEMORY.md without its line"},
		{"it had moved away from its line", func(w *world, line string) {
			w.write("MEMORY.md", append(frontMatterWith(line), "- "+tulips)...)
			w.write("memory/other.md", "- "+vault)
			w.scan()
			w.write("memory/other.md", "")
		}, "memory/other.md"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.write("MEMORY.md", "- "+vault, "- "+tulips)
			w.scan()
			line := entry(w.memory(vault), "forgotten: 2026-11-20")
			w.write("MEMORY.md", append(frontMatterWith(line), "- "+vault, "- "+tulips)...)
			w.scan()
			w.expectForgotten(vault)
			tt.away(w, line)
			w.scan()
			w.expectForgotten()
			switch tt.back {
			case "MEMORY.md":
				w.write("MEMORY.md", append(frontMatterWith(line), "- "+vaultEdited, "- "+tulips)...)
			case "MEMORY.md without its line":
				w.write("MEMORY.md", "- "+vaultEdited, "- "+tulips)
			default:
				w.write(tt.back, "- "+vaultEdited)
			}
			w.scan()
			w.expectForgotten(vaultEdited)
			if faults := w.faults(); len(faults) != 1 || !strings.Contains(faults[0], w.memory(vaultEdited).ID.Short()) {
				t.Errorf("faults %q", faults)
			}
			w.scan()
			w.reindex()
			w.expectForgotten(vaultEdited)
		})
	}
}

// TestOutdatedLineHidesNoVisibleMemory checks what the line of a missing memory does
// not hide: texts that were visible before, also if they move or return.
func TestOutdatedLineHidesNoVisibleMemory(t *testing.T) {
	const alike = "The vault code of the other house is nine nine"
	w := newWorld(t)
	w.write("MEMORY.md", "- "+vault, "- "+alike)
	w.scan()
	line := entry(w.memory(vault), "forgotten: 2026-11-20")
	with := func(texts ...string) { w.write("MEMORY.md", append(frontMatterWith(line), texts...)...) }
	with("- "+vault, "- "+alike)
	w.scan()
	with("- " + alike)
	w.scan()
	w.expectForgotten()
	with("- The vault code of the other house is nine ten")
	w.scan()
	w.expectForgotten()
	with("- " + alike)
	w.scan()
	with("- " + tulips)
	w.scan()
	with("- "+tulips, "- "+alike)
	w.scan()
	w.expectForgotten()
	w.write("memory/a.md", "- "+alike)
	with("- " + tulips)
	w.scan()
	with("- "+tulips, "- "+alike)
	w.scan()
	w.write("memory/a.md", "")
	w.scan()
	w.expectForgotten()
	w.reindex()
	w.expectForgotten()
}

// TestRestoreOfAReturnedTextHolds restores a text that is withheld because it may be
// a forgotten one.
func TestRestoreOfAReturnedTextHolds(t *testing.T) {
	w := newWorld(t)
	w.write("MEMORY.md", "- "+vault)
	w.scan()
	line := entry(w.memory(vault), "forgotten: 2026-11-20")
	w.write("MEMORY.md", append(frontMatterWith(line), "- "+vault)...)
	w.scan()
	w.write("MEMORY.md", frontMatterWith(line)...)
	w.scan()
	w.write("MEMORY.md", append(frontMatterWith(line), "- "+vaultEdited)...)
	w.scan()
	w.expectForgotten(vaultEdited)
	lines := []string{line, entry(w.memory(vaultEdited), "forgotten: false")}
	w.write("MEMORY.md", append(frontMatterWith(lines...), "- "+vaultEdited)...)
	for range 2 {
		w.scan()
		w.expectForgotten()
		if faults := w.faults(); len(faults) != 0 {
			t.Errorf("faults %q", faults)
		}
		w.write("MEMORY.md", frontMatterWith(lines...)...)
		w.scan()
		w.write("MEMORY.md", append(frontMatterWith(lines...), "- "+vaultEdited)...)
	}
}
