package index_test

import (
	"cmp"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
)

// otherModel has the dimension of the first model, but its vectors mean something
// else. Only the name of the model distinguishes them.
const otherModel = "another"

// embedOther embeds a text with otherModel.
func embedOther(text string) []float32 {
	v := make([]float32, indextest.Dim)
	for word := range strings.FieldsSeq(text) {
		h := fnv.New32a()
		h.Write([]byte("salt" + word))
		v[h.Sum32()%uint32(len(v))]++
	}
	embed.Normalize(v)
	return v
}

// embedStaged embeds up to n texts of the staged model, and returns their number.
func embedStaged(t *testing.T, db *index.DB, n int) (done int) {
	t.Helper()
	pending, _, err := db.PendingStaged(t.Context(), otherModel, 0, n, true)
	if err != nil {
		t.Fatal(err)
	}
	vectors := map[memory.Fingerprint][]float32{}
	for _, p := range pending {
		vectors[p.Fingerprint] = embedOther(p.Text)
	}
	if err := db.PutVectors(t.Context(), otherModel, vectors); err != nil {
		t.Fatal(err)
	}
	return len(pending)
}

func nearestTexts(t *testing.T, db *index.DB, q memory.Query) string {
	t.Helper()
	found, err := db.Search(t.Context(), q, memory.Predicate{}, 3, true)
	if err := cmp.Or(err, found.VectorError); err != nil {
		return err.Error()
	}
	var ids []memory.ID
	for _, c := range found.Nearest {
		if c.Raw > 0.5 {
			ids = append(ids, c.ID)
		}
	}
	seen, err := db.Visible(t.Context(), ids, memory.Predicate{})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, m := range seen {
		texts = append(texts, m.Text)
	}
	slices.Sort(texts)
	return strings.Join(texts, "; ")
}

// TestModelServesUntilTheStagedOneIsComplete searches at every step of a change, with
// and without the index in memory. A vector is never compared with one of the other
// model.
func TestModelServesUntilTheStagedOneIsComplete(t *testing.T) {
	for name, noInMemory := range map[string]bool{"in memory": false, "from tables": true} {
		t.Run(name, func(t *testing.T) {
			o := index.Options{NoInMemory: noInMemory}
			path := filepath.Join(t.TempDir(), "tiered.db")
			db, err := index.Open(t.Context(), path, o)
			if err != nil {
				t.Fatal(err)
			}
			ok := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			searches := func(when, model, want string) {
				t.Helper()
				for name, vec := range map[string][]float32{indextest.Model: indextest.Embed("apple tart"), otherModel: embedOther("apple tart")} {
					got := nearestTexts(t, db, memory.Query{Vector: vec, Model: name})
					if name == model && got != want {
						t.Errorf("%s: %s finds %q, want %q", when, name, got, want)
					}
					if name != model && !strings.Contains(got, "the query's vector is one of "+name) {
						t.Errorf("%s: a vector of %s gives %q", when, name, got)
					}
				}
			}
			ok(db.UseModel(t.Context(), index.ServingModel, indextest.Model, indextest.Dim))
			ok(db.Apply(t.Context(), noon, file("a.md", "apple tart", "pear cake", "plum jam", "fig bread")))
			ok(embedPending(t, db))
			ok(db.Load(t.Context()))
			searches("before", indextest.Model, "apple tart")

			ok(db.UseModel(t.Context(), index.StagedModel, otherModel, indextest.Dim))
			embedStaged(t, db, 2)
			searches("half way", indextest.Model, "apple tart")
			if promoted, err := db.PromoteModel(t.Context(), true); err != nil || promoted {
				t.Errorf("an incomplete model was promoted: %v, %v", promoted, err)
			}

			// After a crash the change continues. Edits count for both models.
			ok(db.CloseConnections())
			db, err = index.Open(t.Context(), path, o)
			ok(err)
			defer db.Close()
			ok(db.Load(t.Context()))
			ok(db.UseModel(t.Context(), index.StagedModel, otherModel, indextest.Dim))
			if done, total, err := db.StagedProgress(t.Context(), otherModel, true); err != nil || done != 2 || total != 4 {
				t.Errorf("%d of %d done after a restart, %v", done, total, err)
			}
			ok(db.Apply(t.Context(), noon, file("a.md", "apple tart", "pear cake", "fig bread", "apple tart with cream")))
			ok(embedPending(t, db))
			searches("edited", indextest.Model, "apple tart; apple tart with cream")
			for embedStaged(t, db, 1) > 0 {
			}
			searches("complete", indextest.Model, "apple tart; apple tart with cream")
			promoted, err := db.PromoteModel(t.Context(), true)
			if err != nil || !promoted {
				t.Fatalf("promoted %v, %v", promoted, err)
			}
			searches("promoted", otherModel, "apple tart; apple tart with cream")
			db.Follow(t.Context())
			searches("followed", otherModel, "apple tart; apple tart with cream")
			if n, err := db.PendingCount(t.Context(), otherModel, true); err != nil || n != 0 {
				t.Errorf("%d pending, %v", n, err)
			}

			// And back: cached vectors are not made again.
			ok(db.UseModel(t.Context(), index.StagedModel, indextest.Model, indextest.Dim))
			ok(db.Apply(t.Context(), noon, file("b.md", "quince jelly")))
			ok(db.UseModel(t.Context(), index.StagedModel, "", 0))
			searches("cancelled", otherModel, "apple tart; apple tart with cream")
			ok(db.UseModel(t.Context(), index.ServingModel, indextest.Model, indextest.Dim))
			searches("at once", indextest.Model, "apple tart; apple tart with cream")
		})
	}
}

func TestPrivateTextsDoNotDelayAChangeOfModel(t *testing.T) {
	db, err := index.Open(t.Context(), filepath.Join(t.TempDir(), "tiered.db"), index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	b := file("a.md", "apple tart", "a private thing")
	b.Placements[1].Block.Annotations.Private = new(bool)
	*b.Placements[1].Block.Annotations.Private = true
	if err := db.Apply(t.Context(), noon, b); err != nil {
		t.Fatal(err)
	}
	if err := db.UseModel(t.Context(), index.StagedModel, otherModel, indextest.Dim); err != nil {
		t.Fatal(err)
	}
	pending, _, err := db.PendingStaged(t.Context(), otherModel, 0, 10, false)
	if err != nil || len(pending) != 1 || pending[0].Text != "apple tart" {
		t.Fatalf("%+v, %v", pending, err)
	}
	if promoted, err := db.PromoteModel(t.Context(), false); err != nil || promoted {
		t.Errorf("promoted %v, %v", promoted, err)
	}
	if err := db.PutVectors(t.Context(), otherModel, map[memory.Fingerprint][]float32{pending[0].Fingerprint: embedOther("apple tart")}); err != nil {
		t.Fatal(err)
	}
	if promoted, err := db.PromoteModel(t.Context(), false); err != nil || !promoted {
		t.Errorf("promoted %v, %v", promoted, err)
	}
}
