package index_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
)

const (
	doomed   = "The zyzzyva password of the quokka office is xylophonic4711"
	reworded = "The zyzzyva password of the quokka bureau is xylophonic4712"
)

// filler are so many memories that the tables have many pages and vec0 several
// blocks.
func filler(n int) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf("Ferry number %d leaves pier %d at %d:15 for the island of birds", i, i%7, i%24))
	}
	return lines
}

// holding names the files of a folder that hold some bytes.
func holding(t *testing.T, dir string, what []byte) (names []string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		src, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(src, what) {
			names = append(names, f.Name())
		}
	}
	return names
}

func destroy(t *testing.T, db *index.DB, ids ...memory.ID) {
	t.Helper()
	prints, err := db.VectorKeys(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	in := index.Intent{Batch: "b1", At: noon, Action: "destroy", Source: "cli", Destroy: ids, ForgetTexts: ids, VectorKeys: prints}
	update(t, db, noon, func(tx *index.Tx) error { return tx.BeginIntent(in) })
	update(t, db, noon, func(tx *index.Tx) error { return tx.Destroy(in, func(s string) bool { return s == doomed }) })
	if open, err := db.Intents(t.Context()); err != nil || len(open) != 1 || !open[0].TextsRemoved {
		t.Fatalf("the sweeping that is left is not noted: %+v %v", open, err)
	}
	if err := db.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	update(t, db, noon, func(tx *index.Tx) error { return tx.FinishDestroy(in) })
}

// What was destroyed has left no byte in any file of the database: neither text
// nor words nor vector, of its last wording or an earlier one, though the
// database is open, loaded and has been written to all the while.
func TestDestroyedToTheByte(t *testing.T) {
	for _, loaded := range []bool{false, true} {
		t.Run(fmt.Sprintf("loaded %v", loaded), func(t *testing.T) {
			dir := t.TempDir()
			db := open(t, filepath.Join(dir, "tiered.db"), index.Options{})
			lines := filler(700)
			lines[300] = reworded
			apply(t, db, noon, file("MEMORY.md", lines...))
			embedAll(t, db)
			if loaded {
				if err := db.Load(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			b := file("MEMORY.md", slices.Concat(lines[:300], []string{doomed}, lines[301:])...)
			b.Placements[300].ID = id(reworded) // an edit: the same memory
			apply(t, db, noon.Add(time.Minute), b)
			embedPending(t, db)
			if err := db.SetContext(t.Context(), noon, doomed, noon.Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
			if got := nearest(t, db, doomed, memory.Predicate{}); len(got) == 0 || got[0] != doomed {
				t.Fatalf("not there to begin with: %q", got)
			}
			apply(t, db, noon.Add(2*time.Minute), file("MEMORY.md", slices.Concat(lines[:300], lines[301:])...))
			destroy(t, db, id(reworded))

			vector, former := index.VectorBytes(indextest.Embed(doomed)), index.VectorBytes(indextest.Embed(reworded))
			for _, what := range [][]byte{[]byte(doomed), []byte(reworded), []byte("zyzzyva"), []byte("yzzyva"), []byte("quokka"), []byte("ylophonic"),
				vector, vector[:40], former, former[:40]} {
				if names := holding(t, dir, what); len(names) > 0 {
					t.Errorf("%q is left in %q", what, names)
				}
			}
			for _, word := range []string{"zyzzyva", "quokka", "xylophonic4711", "xylophonic4712"} {
				if left, err := db.Column("SELECT term FROM memories_fts_words WHERE term LIKE ?||'%'", word); err != nil || len(left) > 0 {
					t.Errorf("the keyword index knows %q, %v", left, err)
				}
				if db.Knows(word) {
					t.Errorf("the shelf knows %q", word)
				}
			}
			if got := nearest(t, db, doomed, memory.Predicate{}); slices.Contains(got, doomed) {
				t.Errorf("found: %q", got)
			}
			wholesome(t, db, lines[299], lines[301], lines[699])
		})
	}
}

// wholesome says that the others are all still found, by words and by vector.
func wholesome(t *testing.T, db *index.DB, lines ...string) {
	t.Helper()
	if err := db.CheckWords(); err != nil {
		t.Error(err)
	}
	if err := db.QuickCheck(t.Context()); err != nil {
		t.Error(err)
	}
	for _, line := range lines {
		if got := nearest(t, db, line, memory.Predicate{}); len(got) == 0 || got[0] != line {
			t.Errorf("%q by vector: %q", line, got)
		}
		if got := search(t, db, query(line), memory.Predicate{}); len(got) == 0 || got[0] != line {
			t.Errorf("%q by words: %q", line, got)
		}
	}
}

// A vector that another memory needs stays; a text embedded while it was
// destroyed is not kept; a text that comes back comes back forgotten.
func TestWhatADestroyingSpares(t *testing.T) {
	db := fresh(t)
	short := "Port 5432"
	under := func(heading string, b memory.Batch) memory.Batch {
		b.Placements[0].Block.Heading = []string{heading}
		return b
	}
	apply(t, db, noon, under("Database", file("a.md", short)))
	other := under("Printer", file("b.md", short))
	other.Placements[0].ID = memory.NewID(fingerprint(short), 1)
	apply(t, db, noon, other)
	apply(t, db, noon, file("c.md", doomed))
	embedAll(t, db)
	apply(t, db, noon, memory.Batch{Removed: []string{"a.md", "c.md"}})
	destroy(t, db, id(short), id(doomed))

	if got := nearest(t, db, short, memory.Predicate{}); !slices.Equal(got, []string{short}) {
		t.Errorf("the one under another heading: %q", got)
	}
	vectors := map[memory.Fingerprint][]float32{fingerprint(doomed): indextest.Embed(doomed)}
	if err := db.PutPending(t.Context(), indextest.Model, vectors); err != nil {
		t.Fatal(err)
	}
	if kept, err := db.Vectors(t.Context(), indextest.Model, []memory.Fingerprint{fingerprint(doomed)}); err != nil || len(kept) > 0 {
		t.Errorf("a vector of what is destroyed: %v %v", kept, err)
	}
	apply(t, db, noon, file("c.md", doomed))
	if m := one(t, db, id(doomed)); !m.Forgotten {
		t.Errorf("back, and not forgotten: %+v", m)
	}
}
