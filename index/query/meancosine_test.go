package query_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
)

// The mean is over all texts and ten more vectors with the cosine 0.1.
func TestMeanCosine(t *testing.T) {
	db := fresh(t)
	must.Do(t, db.UseModel(t.Context(), index.ServingModel, indextest.Model, indextest.Dim))
	texts := map[string][]string{}
	for f := range 3 {
		path := fmt.Sprintf("%d.md", f)
		for i := range 4 + 3*f {
			texts[path] = append(texts[path], fmt.Sprintf("harbour %s %d of %d", []string{"boats", "gulls", "green tides"}[i%3], i, f))
		}
		apply(t, db, noon, file(path, texts[path]...))
	}
	must.Do(t, embedPending(t, db))
	q := query("harbour", "boats")
	q.Vector, q.Rest = indextest.Embed("harbour boats"), indextest.Embed("green tides")
	rest := q
	rest.Vector, rest.Rest = q.Rest, nil
	check := func(when string) {
		t.Helper()
		sum, n := 10*0.1, 10.0
		for _, path := range texts {
			for _, text := range path {
				for i, x := range indextest.Stored(text) {
					sum += float64(x) * float64(q.Vector[i])
				}
				n++
			}
		}
		found, err := db.Search(t.Context(), q, memory.Predicate{}, 5, false)
		if err != nil || len(found.Signals) == 0 {
			t.Fatal(found, err)
		}
		for _, s := range found.Signals {
			if math.Abs(s.MeanCosine-sum/n) > 1e-4 {
				t.Fatalf("%s: %v, want %v", when, s.MeanCosine, sum/n)
			}
		}
		ofRest, err := db.Search(t.Context(), rest, memory.Predicate{}, 5, false)
		if err != nil || len(ofRest.Signals) != len(found.Signals) {
			t.Fatal(ofRest, err)
		}
		for i, s := range ofRest.Signals {
			if got, want := found.Signals[i].RestLift, s.Cosine-s.MeanCosine; s.RestLift != 0 || math.Abs(got-want) > 1e-4 {
				t.Fatalf("%s: the rest of the query is %v above the mean, want %v", when, got, want)
			}
		}
	}
	check("from the tables")
	load(t, db)
	check("in memory")
	delete(texts, "1.md")
	must.Do(t, db.Apply(t.Context(), noon, memory.Batch{Removed: []string{"1.md"}}))
	check("after a file is removed")
}

func TestVectorOfZerosIsNearNothing(t *testing.T) {
	db := fresh(t)
	apply(t, db, noon, file("a.md", "harbour boats", "the tide"))
	must.Do(t, db.UseModel(t.Context(), index.ServingModel, indextest.Model, indextest.Dim))
	must.Do(t, embedPending(t, db))
	q := query("harbour")
	q.Vector = make([]float32, indextest.Dim)
	check := func(when string) {
		t.Helper()
		found, err := db.Search(t.Context(), q, memory.Predicate{}, 5, true)
		if err != nil || found.VectorError != nil || len(found.Nearest) > 0 || len(found.Signals) == 0 || found.Signals[0].Cosine != 0 {
			t.Errorf("%s: %+v, %v", when, found, err)
		}
	}
	check("from the tables")
	load(t, db)
	check("in memory")
}
