package index_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
)

// embedKept embeds the texts that lack a vector of the kept model, and returns their
// number.
func embedKept(t *testing.T, db *index.DB, onlyPending bool) int {
	t.Helper()
	lacking := must.Get(db.LackingKept(t.Context(), otherModel, onlyPending, 100, true))(t)
	vectors := map[memory.Fingerprint][]float32{}
	for _, p := range lacking {
		vectors[p.Fingerprint] = embedOther(p.Text)
	}
	must.Do(t, db.PutPending(t.Context(), otherModel, vectors))
	return len(lacking)
}

// TestKeptModelAnswersBesideTheServingOne searches with vectors of both models, with and
// without the index in memory.
func TestKeptModelAnswersBesideTheServingOne(t *testing.T) {
	for name, noInMemory := range map[string]bool{"in memory": false, "tables": true} {
		t.Run(name, func(t *testing.T) {
			db := must.Get(indextest.TryOpen(t, filepath.Join(t.TempDir(), "tiered.db"), index.Options{NoInMemory: noInMemory}))(t)
			defer db.Close()
			ok := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			searches := func(when, wantServing, wantKept string) {
				t.Helper()
				serving := memory.Query{Vector: indextest.Embed("apple tart"), Model: indextest.Model}
				kept := memory.Query{Vector: embedOther("apple tart"), Model: otherModel}
				if got := nearestTexts(t, db, serving); got != wantServing {
					t.Errorf("%s: the serving model finds %q, want %q", when, got, wantServing)
				}
				if got := nearestTexts(t, db, kept); !strings.HasPrefix(got, wantKept) || wantKept == "" && got != "" {
					t.Errorf("%s: the kept model finds %q, want %q", when, got, wantKept)
				}
				found, err := db.Search(t.Context(), kept, memory.Predicate{}, 3, true)
				if wantKept == "apple tart" && (err != nil || found.VectorError != nil || len(found.Signals) == 0 || found.Signals[0].Cosine < 0.9) {
					t.Errorf("%s: signals %+v, %v", when, found, err)
				}
			}
			ok(db.UseModel(t.Context(), index.ServingModel, indextest.Model, indextest.Dim))
			ok(db.Apply(t.Context(), noon, file("a.md", "apple tart", "pear cake", "plum jam")))
			ok(embedPending(t, db))
			ok(db.Load(t.Context()))
			searches("before", "apple tart", "the query's vector is one of "+otherModel)

			ok(db.UseModel(t.Context(), index.KeptModel, otherModel, indextest.Dim))
			searches("without vectors", "apple tart", "")
			if n := embedKept(t, db, false); n != 3 {
				t.Errorf("%d texts lack a kept vector, want 3", n)
			}
			searches("kept", "apple tart", "apple tart")

			// A new text may have a vector of the kept model first.
			ok(db.Apply(t.Context(), noon, file("b.md", "apple tart with cream")))
			if complete, err := db.HasAllVectors(t.Context(), indextest.Model, true); err != nil || complete {
				t.Errorf("a new text: complete is %v, %v", complete, err)
			}
			if n := embedKept(t, db, true); n != 1 {
				t.Errorf("%d new texts lack a kept vector, want 1", n)
			}
			searches("a new text", "apple tart", "apple tart; apple tart with cream")
			ok(embedPending(t, db))
			if complete, err := db.HasAllVectors(t.Context(), indextest.Model, true); err != nil || !complete {
				t.Errorf("all embedded: complete is %v, %v", complete, err)
			}
			searches("all embedded", "apple tart; apple tart with cream", "apple tart; apple tart with cream")

			// Text that is gone leaves both.
			ok(db.Apply(t.Context(), noon, file("b.md", "fig bread")))
			embedKept(t, db, true)
			ok(embedPending(t, db))
			searches("text gone", "apple tart", "apple tart")

			ok(db.UseModel(t.Context(), index.KeptModel, "", 0))
			searches("no longer kept", "apple tart", "the query's vector is one of "+otherModel)
		})
	}
}
