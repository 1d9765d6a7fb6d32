package index_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// noon is when these tests happen.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func open(t testing.TB, path string, o index.Options) *index.DB {
	t.Helper()
	db, err := index.Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func fresh(t testing.TB) *index.DB {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "state", "tiered.db"), index.Options{})
}

// fingerprint stands in for the chunker's, which folds white space.
func fingerprint(text string) (f memory.Fingerprint) {
	return sum(strings.Join(strings.Fields(text), " "))
}

// file makes a batch of one file whose blocks are these lines.
func file(path string, lines ...string) memory.Batch {
	b := memory.Batch{Files: []memory.FileState{{Path: path, Hash: sum(path + strings.Join(lines, "\n")), Stamp: "1",
		Size: 10, ModTime: noon.Add(-time.Hour)}}}
	for i, line := range lines {
		b.Placed = append(b.Placed, placement(path, i, line))
	}
	return b
}

func placement(path string, ordinal int, text string) memory.Placement {
	f := fingerprint(text)
	return memory.Placement{ID: memory.NewID(f, 0), Path: path, Ordinal: ordinal, Change: memory.Added,
		Block: memory.Block{Kind: memory.KindItem, Text: text, Start: 100 * ordinal, End: 100*ordinal + len(text),
			LineStart: ordinal + 1, LineEnd: ordinal + 1, Fingerprint: f},
		Chunks: []memory.Chunk{{Text: text, Fingerprint: f}}}
}

func apply(t testing.TB, db *index.DB, at time.Time, b memory.Batch) {
	t.Helper()
	if err := db.Apply(t.Context(), at, b); err != nil {
		t.Fatal(err)
	}
}

func id(text string) memory.ID { return memory.NewID(fingerprint(text), 0) }

func query(words ...string) memory.Query {
	q := memory.Query{Text: strings.Join(words, " ")}
	for _, w := range words {
		q.Terms = append(q.Terms, memory.Term{Text: w})
	}
	return q
}

// texts are the texts of what a search found, in its order.
func texts(t testing.TB, db *index.DB, found []memory.Candidate, p memory.Predicate) []string {
	t.Helper()
	var ids []memory.ID
	for _, c := range found {
		ids = append(ids, c.ID)
	}
	memories, err := db.Visible(t.Context(), ids, p)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range memories {
		out = append(out, m.Text)
	}
	return out
}

func search(t testing.TB, db *index.DB, q memory.Query, p memory.Predicate) []string {
	t.Helper()
	found, err := db.Text(t.Context(), q, p, 10)
	if err != nil {
		t.Fatal(err)
	}
	return texts(t, db, found, p)
}

func one(t testing.TB, db *index.DB, id memory.ID) memory.Memory {
	t.Helper()
	found, err := db.Find(context.Background(), string(id))
	if err != nil || len(found) != 1 {
		t.Fatalf("memory %s: %d found, %v", id, len(found), err)
	}
	return found[0]
}

func lines(n int, about string) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("%s %d is kept in drawer %d of the %dth cabinet, next to the blue folder", about, i, i%37, i%11))
	}
	return out
}
