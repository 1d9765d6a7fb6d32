package ingest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

func (w *world) expectForgotten(want ...string) {
	w.t.Helper()
	var got []string
	for _, m := range w.list(memory.Predicate{Forgotten: memory.Include}) {
		if m.Forgotten {
			got = append(got, m.Text)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		w.t.Fatalf("forgotten: %q, want %q", got, want)
	}
}

const (
	safeLine = `  - {id: "9c01aa7e44f1", quote: "The safe combination is 47-11-08", forgotten: 2026-11-20}`
	safe     = "The safe (cellar, grey one, behind the boiler and the wine rack) combination is 47-11-08"
)

// TestInDoubtForgottenStaysForgotten indexes files as a clone has them: the texts
// were edited after they were forgotten.
func TestInDoubtForgottenStaysForgotten(t *testing.T) {
	tests := []struct {
		name      string
		body      []string // of the file with the line
		other     []string // of another file
		forgotten []string
		faults    int
	}{
		{"an edited text, and the others of its file", []string{"- " + safe, "- " + rotate}, []string{"- " + friday}, []string{safe, rotate}, 1},
		{"no text of another file", []string{"- " + rotate}, []string{"- " + safe}, []string{rotate}, 1},
		{"no other one where the text matches exactly", []string{"- The safe combination is 47-11-08", "- The safe combination has changed since"}, nil,
			[]string{"The safe combination is 47-11-08"}, 0},
		{"both texts that begin with the quote", []string{"- The safe combination is 47-11-08 in Rome", "- The safe combination is 47-11-08 in Oslo"}, nil,
			[]string{"The safe combination is 47-11-08 in Rome", "The safe combination is 47-11-08 in Oslo"}, 1},
		{"two texts of another file with the quote", nil, []string{"- Safe code: 47-11-08 behind the grey boiler in Rome", "- Safe code: 47-11-08 behind the grey boiler in Oslo"},
			[]string{"Safe code: 47-11-08 behind the grey boiler in Oslo", "Safe code: 47-11-08 behind the grey boiler in Rome"}, 1},
		{"the copies of a doubtful text", []string{"- The combination of the safe was changed"}, []string{"- The combination of the safe was changed"},
			[]string{"The combination of the safe was changed", "The combination of the safe was changed"}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			line := safeLine
			if tt.body == nil {
				line = strings.Replace(line, "The safe combination is 47-11-08", "Safe code: 47-11-08 behind the grey boiler in", 1)
			}
			w.write("MEMORY.md", append(frontMatterWith(line), tt.body...)...)
			if tt.other != nil {
				w.write("memory/other.md", tt.other...)
			}
			w.scan()
			w.expectForgotten(tt.forgotten...)
			if faults := w.faults(); len(faults) != tt.faults {
				t.Errorf("faults %q", faults)
			}
			w.write("memory/new.md", "- A text that has nothing to do with it")
			w.scan("memory/new.md")
			w.expectForgotten(tt.forgotten...)
			w.loseDatabase()
			w.scan()
			w.expectForgotten(tt.forgotten...)
		})
	}
}

// TestDoubtEndsWithADecision decides as the commands write it.
func TestDoubtEndsWithADecision(t *testing.T) {
	w := newWorld(t)
	const changed = "The safe combination has changed since"
	body := []string{"- " + changed, "- " + safe}
	w.write("MEMORY.md", append(frontMatterWith(safeLine), body...)...)
	w.scan()
	w.expectForgotten(changed, safe)
	if faults := w.faults(); len(faults) != 1 || !strings.Contains(faults[0], w.memory(safe).ID.Short()) {
		t.Errorf("faults %q", faults)
	}
	lines := []string{safeLine, entry(w.memory(changed), "forgotten: false")}
	w.write("MEMORY.md", append(frontMatterWith(lines...), body...)...)
	w.scan()
	w.expectForgotten(safe)
	lines = []string{entry(w.memory(safe), "forgotten: 2026-11-21"), lines[1]}
	w.write("MEMORY.md", append(frontMatterWith(lines...), body...)...)
	w.scan()
	w.expectForgotten(safe)
	if faults := w.faults(); len(faults) != 0 {
		t.Errorf("faults %q", faults)
	}
	w.write("MEMORY.md", append(frontMatterWith(lines[1]), body...)...)
	w.scan()
	w.expectForgotten()
}

// TestManyOutdatedLinesWithholdTheirFileOnce keeps the pairs of lines and texts few, and
// lets a line that stands alone at last withhold what the others withheld.
func TestManyOutdatedLinesWithholdTheirFileOnce(t *testing.T) {
	const n = 50
	var lines, body, want []string
	for i := range n {
		lines = append(lines, fmt.Sprintf("  - {id: \"%012x\", quote: \"A service listens on port %d\", forgotten: 2026-11-20}", 7919*(i+1), i))
		text := fmt.Sprintf("Service %d really listens on the old port of host %d", i, i)
		body, want = append(body, "- "+text), append(want, text)
	}
	w := newWorld(t)
	w.write("MEMORY.md", append(frontMatterWith(lines...), body...)...)
	w.scan()
	w.expectForgotten(want...)
	pairs := 0
	for _, e := range w.batch.Files[0].Entries {
		pairs += len(e.Doubtful)
	}
	if faults := w.faults(); pairs != n || len(faults) != n {
		t.Errorf("%d pairs of lines and texts, faults %q", pairs, faults)
	}
	w.write("MEMORY.md", append(frontMatterWith(lines[n-1]), body...)...)
	w.scan()
	w.expectForgotten(want...)
	w.write("MEMORY.md", body...)
	w.scan()
	w.expectForgotten()
}

// TestLineOfADeletedMemoryWithholdsNothing deletes a memory from the index whose text went
// long ago. Its line stays in the file.
func TestLineOfADeletedMemoryWithholdsNothing(t *testing.T) {
	w := newWorld(t)
	w.write("MEMORY.md", "- "+tabs, "- "+rotate)
	w.scan()
	line := entry(w.memory(tabs), "forgotten: 2026-11-20")
	w.write("MEMORY.md", append(frontMatterWith(line), "- "+tabs, "- "+rotate)...)
	w.scan()
	w.write("MEMORY.md", append(frontMatterWith(line), "- "+rotate)...)
	w.scan()
	w.must(w.db.Update(t.Context(), w.now.AddDate(1, 0, 0), func(tx *index.Tx) error {
		n, err := tx.Purge(w.now.AddDate(0, 6, 0))
		if n != 1 {
			t.Errorf("%d memories were deleted", n)
		}
		return err
	}))
	w.write("MEMORY.md", append(frontMatterWith(line), "- "+rotate, "- "+friday)...)
	w.scan()
	w.expectForgotten()
	w.write("MEMORY.md", append(frontMatterWith(line), "- "+rotate, "- "+tabs)...)
	w.scan()
	w.expectForgotten(tabs)
}

// TestIDWithAWrongQuoteWithholds has a line with the id of one text and the quote of another
// one, or of none. The index is new, or knows the texts already.
func TestIDWithAWrongQuoteWithholds(t *testing.T) {
	id := memory.NewID(fingerprint(tabs), 0).InFile()
	for _, quoted := range []string{rotateQuote, "The harbour master keeps lanterns"} {
		for _, known := range []bool{false, true} {
			w := newWorld(t)
			if known {
				w.write("MEMORY.md", "- "+tabs, "- "+rotate, "- "+friday)
				w.scan()
			}
			w.write("MEMORY.md", append(frontMatterWith(`  - {id: "`+id+`", quote: "`+quoted+`", forgotten: true}`), "- "+tabs, "- "+rotate, "- "+friday)...)
			w.scan()
			w.expectForgotten(tabs, rotate, friday)
			if len(w.faults()) != 1 {
				t.Errorf("%s: faults %q", quoted, w.faults())
			}
			w.scan()
			w.expectForgotten(tabs, rotate, friday)
		}
	}
}

// TestMovedEntriesAreNoMemories has front matter below a line of text. A person finds the text
// beside it, and not the text of the decision.
func TestMovedEntriesAreNoMemories(t *testing.T) {
	w := newWorld(t)
	w.write("memory/a.md", "A note", "---", "memories:", safeLine, "---", "- "+friday)
	w.scan()
	for _, m := range w.list(memory.Predicate{Forgotten: memory.Include}) {
		if strings.Contains(m.Text, "47-11-08") {
			t.Errorf("%q is a memory", m.Text)
		}
	}
	if m := w.memory(friday); m.Path != "memory/a.md" {
		t.Errorf("the text beside it is in %q", m.Path)
	}
}

// TestQuotedTextStaysForgottenBesideItsEditedAndMovedMemory merges a branch that forgets a text
// with one that edits it and moves it to another file.
func TestQuotedTextStaysForgottenBesideItsEditedAndMovedMemory(t *testing.T) {
	const quote = "The safe in the cellar behind the grey boiler has the combination"
	w := newWorld(t)
	w.write("MEMORY.md", "- "+quote+" of the boiler", "- "+friday)
	w.scan()
	line := entry(w.memory(quote+" of the boiler"), "forgotten: 2026-11-20")
	w.write("MEMORY.md", "- "+quote+" of the door", "- "+friday)
	w.scan()
	w.write("MEMORY.md", "- "+quote+" of the boiler", "- "+quote+" of the door", "- "+friday)
	w.scan()
	w.write("MEMORY.md", "- "+quote+" of the boiler", "- "+friday)
	w.write("memory/other.md", "- "+quote+" of the door")
	w.scan()
	w.write("MEMORY.md", append(frontMatterWith(line), "- "+quote+" of the boiler", "- "+friday, "- "+quote+" of the boiler")...)
	w.scan()
	want := []string{quote + " of the boiler", quote + " of the boiler", quote + " of the door"}
	w.expectForgotten(want...)
	w.write("MEMORY.md", append(frontMatterWith(line), "- "+friday, "- "+quote+" of the boiler", "- "+quote+" of the boiler")...)
	w.scan()
	w.expectForgotten(want...)
	w.loseDatabase()
	w.scan()
	w.expectForgotten(want[:2]...)
}
