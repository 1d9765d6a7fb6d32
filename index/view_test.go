package index_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
)

// pick returns a random element.
func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// randomView returns a view of a person or a model.
func randomView(r *rand.Rand) memory.View {
	v := memory.View{Users: pick(r, nil, []string{""}, []string{"", "lena"}, []string{"", "ben", "telegram:3"}), Scope: pick[memory.Scope](r, "", "", "work", "home"),
		Now: pick(r, indextest.Noon, indextest.Noon.Add(-2*time.Hour), indextest.Noon.Add(2*time.Hour)), Model: r.IntN(3) > 0}
	v.Pushed = v.Model && r.IntN(2) == 0
	return v
}

// TestEveryRouteShowsWhatTheViewShows compares View.Hides with lists, single memories,
// searches by words and by vectors, from the tables and from the in-memory index.
func TestEveryRouteShowsWhatTheViewShows(t *testing.T) { indextest.OnEachBackend(t, testViews) }

func testViews(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	db := indextest.New(t)
	must.Do(t, db.UseModel(t.Context(), index.ServingModel, indextest.Model, indextest.Dim))
	var texts []string
	for i := range 80 {
		texts = append(texts, fmt.Sprintf("The apple number %d hangs in the garden of %c", i, 'a'+i%26))
	}
	b, vectors := indextest.File("a.md", texts...), map[memory.Fingerprint][]float32{}
	for i := range b.Placements {
		private := r.IntN(8) == 0
		d := memory.Declared{User: pick(r, "", "", "", "lena", "ben", "telegram:3"), Scope: pick[memory.Scope](r, "", "", "global", "work"), Private: &private,
			Trust: pick(r, "", "", "", "", memory.TrustUntrusted, memory.TrustQuarantined), Tier: pick(r, memory.TierHot, memory.TierWarm, memory.TierWarm, memory.TierArchive),
			ImportanceLabel: pick(r, "", "", "", memory.ImportanceIgnore), Expires: pick(r, time.Time{}, time.Time{}, indextest.Noon, indextest.Noon.Add(time.Hour))}
		if r.IntN(4) == 0 && i > 0 {
			d.SupersededBy = indextest.ID(texts[r.IntN(i)])
		}
		if i%5 == 4 {
			d.SourceRef = chunker.ModelRef("", nil, []memory.Fingerprint{indextest.Fingerprint(texts[r.IntN(i)])})
		}
		b.Placements[i].Block.Annotations = d
		vectors[indextest.Fingerprint(texts[i])] = indextest.Embed(texts[i])
	}
	must.Do(t, db.Apply(t.Context(), indextest.Noon, b))
	must.Do(t, db.PutVectors(t.Context(), indextest.Model, vectors))
	must.Do(t, db.Update(t.Context(), indextest.Noon, func(tx *index.Tx) error {
		for range 6 {
			if err := tx.ForgetText(indextest.ID(pick(r, texts...))); err != nil {
				return err
			}
		}
		return nil
	}))
	all, _, err := db.List(t.Context(), memory.Predicate{Archive: true, Forgotten: memory.Include}, "", 0, 0)
	if err != nil || len(all) != len(texts) {
		t.Fatal(len(all), err)
	}
	byID, ids := map[memory.ID]*memory.Memory{}, memory.IDsOf(all)
	for i := range all {
		byID[all[i].ID] = &all[i]
	}
	find := func(id memory.ID) (*memory.Memory, bool) { m, known := byID[id]; return m, known }
	for _, how := range []string{"from the tables", "in memory"} {
		for range 150 {
			p := memory.Predicate{View: randomView(r), Archive: true}
			var want []memory.ID
			for _, m := range all {
				if m.SourceHidden == "" && p.Hides(&m, find) == "" && !p.Conceals(&m) {
					want = append(want, m.ID)
				}
			}
			listed, _, err := db.List(t.Context(), p, "", 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			visible := must.Get(db.Visible(t.Context(), ids, p))(t)
			q := indextest.Words("apple")
			q.Vector = indextest.Embed("apple garden")
			found, err := db.Search(t.Context(), q, p, 200, true)
			must.Do(t, cmp.Or(err, found.VectorError))
			for route, got := range map[string][]memory.ID{"list": memory.IDsOf(listed), "visible": memory.IDsOf(visible), "words": idsOf(found.ByWords(200)), "vectors": idsOf(found.Nearest)} {
				if slices.Sort(got); !slices.Equal(got, sorted(want)) {
					t.Errorf("%s, %s for %+v: %d memories, the view shows %d", how, route, p.View, len(got), len(want))
				}
			}
		}
		must.Do(t, db.Load(t.Context()))
	}
}

func sorted(ids []memory.ID) []memory.ID { return slices.Sorted(slices.Values(ids)) }

func idsOf(found []memory.Candidate) (ids []memory.ID) {
	for _, c := range found {
		ids = append(ids, c.ID)
	}
	return ids
}
