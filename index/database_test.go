package index_test

import (
	"cmp"
	"fmt"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
)

// The memories of these tests are those of the conformance suite.
var (
	noon        = indextest.Noon
	fingerprint = indextest.Fingerprint
	id          = indextest.ID
	file        = indextest.File
	join        = indextest.Join
	query       = indextest.Words

	open         = indextest.Open
	fresh        = indextest.New
	apply        = indextest.Apply
	embedPending = indextest.EmbedPending
)

func closeNow(t testing.TB, db *index.DB) {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func update(t testing.TB, db *index.DB, at time.Time, fn func(*index.Tx) error) {
	t.Helper()
	if err := db.Update(t.Context(), at, fn); err != nil {
		t.Fatal(err)
	}
}

// one is a memory, wherever it stands and whatever became of it.
func one(t testing.TB, db *index.DB, id memory.ID) memory.Memory {
	t.Helper()
	found, err := db.FindByPrefix(t.Context(), memory.View{}, string(id))
	if err != nil || len(found) != 1 {
		t.Fatalf("memory %s: %d found, %v", id, len(found), err)
	}
	return found[0]
}

// chunkTexts are the texts of what a lane found, in its order.
func chunkTexts(t testing.TB, db *index.DB, found []memory.Candidate, p memory.Predicate) (out []string) {
	t.Helper()
	var ids []memory.ID
	for _, c := range found {
		ids = append(ids, c.ID)
	}
	memories, err := db.Visible(t.Context(), ids, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range memories {
		out = append(out, m.Text)
	}
	return out
}

func search(t testing.TB, db *index.DB, q memory.Query, p memory.Predicate) []string {
	t.Helper()
	found, err := db.Search(t.Context(), q, p, 20, false)
	if err != nil {
		t.Fatal(err)
	}
	return chunkTexts(t, db, found.ByWords(10), p)
}

func nearest(t testing.TB, db *index.DB, text string, p memory.Predicate) []string {
	t.Helper()
	found, err := db.Search(t.Context(), memory.Query{Vector: indextest.Embed(text)}, p, 10, true)
	if err := cmp.Or(err, found.VectorError); err != nil {
		t.Fatal(err)
	}
	return chunkTexts(t, db, found.Nearest, p)
}

func embedAll(t testing.TB, db *index.DB) {
	t.Helper()
	if err := db.UseModel(t.Context(), index.ServingModel, indextest.Model, indextest.Dim); err != nil {
		t.Fatal(err)
	}
	if err := embedPending(t, db); err != nil {
		t.Fatal(err)
	}
}

func TestOptimizedKeywordIndexHasOnePart(t *testing.T) {
	indextest.SQLiteOnly(t)
	db := fresh(t)
	for n := range 3 {
		apply(t, db, noon, file(fmt.Sprintf("f%d.md", n), batchLines(n)...))
	}
	parts := func() string {
		t.Helper()
		found, err := db.Column("SELECT count(DISTINCT segid) FROM memories_fts_idx")
		if err != nil {
			t.Fatal(err)
		}
		return found[0]
	}
	before := parts()
	if err := db.OptimizeWords(t.Context()); err != nil {
		t.Fatal(err)
	}
	if before == "1" || parts() != "1" {
		t.Errorf("%s parts before, %s after", before, parts())
	}
	if got := search(t, db, query("batch line"), memory.Predicate{}); len(got) == 0 {
		t.Error("nothing is found")
	}
}
