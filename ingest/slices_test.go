package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/ingest"
)

// manyBullets returns the lines of a file of n bullets.
func manyBullets(name string, n int) []string {
	lines := []string{"# " + name, ""}
	for i := range n {
		lines = append(lines, fmt.Sprintf("- %s bullet number %d", name, i))
	}
	return lines
}

// A file of many bullets and small files are indexed in several transactions. They
// are every decision first, then the newest small file, and the large file last.
// Then nothing is read again.
func TestFirstScanComesInSlices(t *testing.T) {
	w := newWorld(t)
	w.sliceSize = 4
	w.write("memory/large.md", manyBullets("large", 30)...)
	w.write("memory/2026-11-18.md", "- went to the harbour", "- saw a heron")
	w.write("memory/2026-11-19.md", "- bought a lamp", "- sold the old one")
	w.write("MEMORY.md", "---", "memories:", `  - {id: "", quote: "large bullet number 29", forgotten: true}`, "---", "- "+tabs)
	var batches []memory.Batch
	w.applied = func(b memory.Batch) {
		batches = append(batches, b)
		found := w.list(memory.Predicate{Missing: memory.Include})
		for _, m := range found {
			if forgotten := strings.HasSuffix(m.Text, "number 29"); m.Forgotten != forgotten {
				t.Errorf("after %d transactions, %q is forgotten: %v", len(batches), m.Text, m.Forgotten)
			}
			if m.Missing {
				t.Errorf("after %d transactions, %q is missing", len(batches), m.Text)
			}
		}
	}
	if a := w.scan(); a.Added != 35 {
		t.Errorf("answer %+v", a)
	}
	var order []string
	for _, b := range batches[1:] {
		for _, p := range b.Placements {
			order = append(order, path.Base(p.Path))
		}
	}
	if order = slices.Compact(order); !slices.Equal(order, []string{"2026-11-18.md", "large.md"}) {
		t.Errorf("after the first transaction come %q", order)
	}
	if !slices.ContainsFunc(batches[0].Placements, func(p memory.Placement) bool { return strings.HasSuffix(p.Block.Text, "number 29") }) {
		t.Error("the decided memory is not in the first transaction")
	}
	before := w.ids()
	batches = nil
	if w.scanUntilStable(); len(batches) > 0 && len(batches[0].Files) > 0 {
		t.Errorf("a second scan finds %+v", batches[0].Files)
	}
	fresh := newWorld(t)
	fresh.dir = w.dir
	fresh.configure(workspaceOptions)
	fresh.scan()
	for text, id := range fresh.ids() {
		if before[text] != id {
			t.Errorf("%q is %s in slices and %s in one transaction", text, before[text], id)
		}
	}
}

// A scan that is killed after any transaction continues: it adds what is left, and
// no memory gets another id.
func TestKilledScanContinues(t *testing.T) {
	for kill := 1; kill < 8; kill++ {
		t.Run(fmt.Sprint(kill), func(t *testing.T) {
			w := newWorld(t)
			w.sliceSize = 4
			lines := manyBullets("large", 40)
			w.write("memory/large.md", append(lines, "- twice", "- twice", "- twice")...)
			w.write("MEMORY.md", "- "+tabs, "- twice")
			w.killAfter = kill
			if _, err := w.tryIndex(false); kill < 5 && !errors.Is(err, errKilled) {
				t.Fatalf("not killed: %v", err)
			}
			w.killAfter = 0
			some := w.ids()
			w.scan()
			all := w.ids()
			if len(all) != 45 {
				t.Errorf("%d memories, want 45", len(all))
			}
			for text, id := range some {
				if !slices.Contains(slices.Collect(maps.Values(all)), id) {
					t.Errorf("%q lost its id %s", text, id)
				}
			}
			fresh := newWorld(t)
			fresh.dir = w.dir
			fresh.configure(workspaceOptions)
			fresh.scan()
			for text, id := range fresh.ids() {
				if all[text] != id {
					t.Errorf("%q is %s, and %s in one transaction", text, all[text], id)
				}
			}
		})
	}
}

// A paused scan reports what it has done, and the next one adds only what is left.
func TestPausedScanContinues(t *testing.T) {
	w := newWorld(t)
	w.write("memory/large.md", manyBullets("large", 40)...)
	in := ingest.New(recordingStore{w.db, w}, w.source, ingest.Options{SliceSize: 4, Pause: func() bool { return true }})
	added, runs := 0, 0
	for err := ingest.ErrPaused; err != nil; runs++ {
		var a memory.IndexAnswer
		if a, err = in.Ingest(context.Background(), w.now, nil, false, nil); err != nil && !errors.Is(err, ingest.ErrPaused) {
			t.Fatal(err)
		}
		added += a.Added
		if runs > 0 && len(w.batch.Placements) > 4 {
			t.Errorf("run %d writes %d memories again", runs, len(w.batch.Placements))
		}
	}
	if added != 40 || runs != 10 || len(w.ids()) != 40 {
		t.Errorf("%d memories added in %d runs, %d indexed", added, runs, len(w.ids()))
	}
}

// TestInterruptedRunLeavesNoOldLines moves every memory by one line and kills the run
// after its first transaction.
func TestInterruptedRunLeavesNoOldLines(t *testing.T) {
	var bullets []string
	for _, word := range []string{"heron", "owl", "finch", "crane", "swift", "gull"} {
		bullets = append(bullets, "- The "+word+" nests in the old barn")
	}
	w := newWorld(t)
	w.sliceSize = 1
	w.write("MEMORY.md", bullets...)
	w.scan()
	w.interrupt = func() int { return 2 }
	w.write("MEMORY.md", append([]string{""}, bullets...)...)
	w.scan()
	for _, m := range w.list(memory.Predicate{}) {
		if line := 2 + slices.Index(bullets, "- "+m.Text); m.LineStart != line {
			t.Errorf("%q is on line %d and is indexed on line %d", m.Text, line, m.LineStart)
		}
	}
}
