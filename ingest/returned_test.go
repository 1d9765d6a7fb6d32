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

// TestProtectingLineOfAnEditedTextStillProtects edits a text that a line makes
// private or less trusted. Then it indexes it as a clone, or cuts it first and
// pastes it.
func TestProtectingLineOfAnEditedTextStillProtects(t *testing.T) {
	const moved = "In any case: the vault code of the zebraquux house is four seven one one"
	yes := true
	tests := []struct {
		words string
		want  memory.Declared
	}{
		{"private: true", memory.Declared{Private: &yes}},
		{"trust: quarantined", memory.Declared{Trust: memory.TrustQuarantined}},
		{"trust: untrusted", memory.Declared{Trust: memory.TrustUntrusted}},
	}
	for _, tt := range tests {
		for _, edited := range []string{moved, vaultEdited} {
			for _, way := range []string{"clone", "cut and paste"} {
				t.Run(tt.words+"/"+way+"/"+edited[:6], func(t *testing.T) {
					w := newWorld(t)
					w.write("MEMORY.md", "- "+vault, "- "+tulips)
					w.scan()
					line := entry(w.memory(vault), tt.words)
					with := func(texts ...string) { w.write("MEMORY.md", append(frontMatterWith(line), texts...)...) }
					expect := func(text string, protected bool) {
						t.Helper()
						m := w.memory(text)
						want := memory.TrustTrusted
						if protected && tt.want.Trust != "" {
							want = tt.want.Trust
						}
						if m.Private != (protected && tt.want.Private != nil) || m.Trust != want || m.Forgotten {
							t.Fatalf("%q: private %v, %s, forgotten %v", text, m.Private, m.Trust, m.Forgotten)
						}
						if protected && want != memory.TrustTrusted && m.SourceKind != "external" {
							t.Errorf("%q is from %s", text, m.SourceKind)
						}
					}
					with("- "+vault, "- "+tulips)
					w.scan()
					expect(vault, true)
					if way == "clone" {
						with("- "+edited, "- "+tulips)
						w.loseDatabase()
					} else {
						with("- " + tulips)
						w.scan()
						with("- "+edited, "- "+tulips)
					}
					for range 2 {
						w.scan()
						expect(edited, true)
						expect(tulips, way == "clone" && edited == moved)
					}
					if way != "clone" {
						return
					}
					if faults := w.faults(); edited == moved && (len(faults) != 1 || !strings.Contains(faults[0], "MEMORY.md:3: ") ||
						!strings.Contains(faults[0], w.memory(edited).ID.Short())) {
						t.Errorf("faults %q", faults)
					}
					w.write("MEMORY.md", "- "+edited, "- "+tulips)
					w.scan()
					expect(edited, false)
				})
			}
		}
	}
}

// TestDecisionEndsADoubtAboutPrivacy lets a person decide with a line of the memory
// itself, and with a corrected quote.
func TestDecisionEndsADoubtAboutPrivacy(t *testing.T) {
	for _, words := range []string{"private: true", "private: false"} {
		w := newWorld(t)
		old := `  - {id: "b3dca1d0ac68", quote: "The vault code of the zebraquux house is", private: true}`
		const moved = "In any case: the vault code of the zebraquux house is four seven one one"
		w.write("MEMORY.md", append(frontMatterWith(old), "- "+moved)...)
		w.scan()
		if m := w.memory(moved); !m.Private || len(w.faults()) != 1 {
			t.Fatalf("in doubt: %+v, faults %q", m, w.faults())
		}
		w.write("MEMORY.md", append(frontMatterWith(old, entry(w.memory(moved), words)), "- "+moved)...)
		w.scan()
		if m := w.memory(moved); m.Private != (words == "private: true") || len(w.faults()) != 0 {
			t.Errorf("%s: private %v, faults %q", words, m.Private, w.faults())
		}
	}
}

// TestLineReturnsWithAnOlderQuote has a forgotten text that grew at its beginning. Git brings
// the line back as it was before, with and without a moment in which the file is gone.
func TestLineReturnsWithAnOlderQuote(t *testing.T) {
	const grown = "As of May, and for a year: the vault code of the zebraquux house is four seven one one"
	for _, isGone := range []bool{false, true} {
		w := newWorld(t)
		w.write("MEMORY.md", "- "+vault, "- "+rotate)
		w.scan()
		older := entry(w.memory(vault), "forgotten: 2026-11-20")
		w.write("MEMORY.md", append(frontMatterWith(older), "- "+vault, "- "+rotate)...)
		w.scan()
		w.write("MEMORY.md", append(frontMatterWith(older), "- "+grown, "- "+rotate)...)
		w.scan()
		w.write("MEMORY.md", append(frontMatterWith(entry(w.memory(grown), "forgotten: 2026-11-20")), "- "+grown, "- "+rotate)...)
		w.scan()
		if isGone {
			w.write("MEMORY.md")
			w.scan()
		}
		w.write("MEMORY.md", append(frontMatterWith(older), "- "+grown, "- "+rotate)...)
		w.scan()
		w.expectForgotten(grown)
		if faults := w.faults(); len(faults) != 0 {
			t.Errorf("faults %q", faults)
		}
	}
}
