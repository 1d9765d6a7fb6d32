package index_test

import (
	"cmp"
	"fmt"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
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
	must.Do(t, db.Close())
}

func update(t testing.TB, db *index.DB, at time.Time, fn func(*index.Tx) error) {
	t.Helper()
	must.Do(t, db.Update(t.Context(), at, fn))
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
	memories := must.Get(db.Visible(t.Context(), ids, p))(t)
	for _, m := range memories {
		out = append(out, m.Text)
	}
	return out
}

func search(t testing.TB, db *index.DB, q memory.Query, p memory.Predicate) []string {
	t.Helper()
	found := must.Get(db.Search(t.Context(), q, p, 20, false))(t)
	return chunkTexts(t, db, found.ByWords(10), p)
}

func nearest(t testing.TB, db *index.DB, text string, p memory.Predicate) []string {
	t.Helper()
	found, err := db.Search(t.Context(), memory.Query{Vector: indextest.Embed(text)}, p, 10, true)
	must.Do(t, cmp.Or(err, found.VectorError))
	return chunkTexts(t, db, found.Nearest, p)
}

func embedAll(t testing.TB, db *index.DB) {
	t.Helper()
	must.Do(t, db.UseModel(t.Context(), index.ServingModel, indextest.Model, indextest.Dim))
	must.Do(t, embedPending(t, db))
}

func TestOptimizedKeywordIndexHasOnePart(t *testing.T) {
	indextest.SQLiteOnly(t)
	db := fresh(t)
	for n := range 3 {
		apply(t, db, noon, file(fmt.Sprintf("f%d.md", n), batchLines(n)...))
	}
	parts := func() string {
		t.Helper()
		found := must.Get(db.Column("SELECT count(DISTINCT segid) FROM memories_fts_idx"))(t)
		return found[0]
	}
	before := parts()
	must.Do(t, db.OptimizeWords(t.Context()))
	if before == "1" || parts() != "1" {
		t.Errorf("%s parts before, %s after", before, parts())
	}
	if got := search(t, db, query("batch line"), memory.Predicate{}); len(got) == 0 {
		t.Error("nothing is found")
	}
}
