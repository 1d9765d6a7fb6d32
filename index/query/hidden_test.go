package query_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
)

// A search for the right word of a hidden memory gives the same as one for a wrong
// word. Otherwise anyone could guess what the memory contains.
func TestSearchDoesNotShowWhichWordsAHiddenMemoryHas(t *testing.T) {
	private := true
	for _, tt := range []struct {
		name      string
		declared  memory.Declared
		forget    bool
		predicate memory.Predicate
	}{
		{"of another user", memory.Declared{User: "ben"}, false, memory.Predicate{View: memory.View{Users: []string{"", "lena"}}}},
		{"private, for a model", memory.Declared{Private: &private}, false, memory.Predicate{View: memory.View{Model: true, Pushed: true}}},
		{"quarantined, for a model", memory.Declared{Trust: memory.TrustQuarantined}, false, memory.Predicate{View: memory.View{Model: true, Pushed: true}}},
		{"expired, for a model", memory.Declared{Expires: noon.Add(-time.Hour)}, false, memory.Predicate{View: memory.View{Model: true, Pushed: true, Now: noon}}},
		{"expired, for a model without a time", memory.Declared{Expires: noon.Add(time.Hour)}, false, memory.Predicate{View: memory.View{Model: true, Pushed: true}}},
		{"forgotten", memory.Declared{}, true, memory.Predicate{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var answers [2]string
			for i, word := range []string{"xylophone quagmire surprise", "marmalade teapot dessert"} {
				db := fresh(t)
				must.Do(t, db.UseModel(t.Context(), index.ServingModel, indextest.Model, indextest.Dim))
				secret := "The safe opens with " + word
				b := file("a.md", "The boat is blue", secret, "The pump was replaced", "The xylophones were sold")
				b.Placements[1].Block.Annotations = tt.declared
				b.Placements[0].Speaker, b.Placements[2].Speaker = "Ann", "Bob"
				b.Placements[3].Block.Heading = []string{"Elsewhere"}
				apply(t, db, noon, b)
				if tt.forget {
					must.Do(t, db.Update(t.Context(), noon, func(tx *index.Tx) error { return tx.ForgetText(id(secret)) }))
				}
				must.Do(t, embedPending(t, db))
				for _, how := range []string{"from the tables", "in memory"} {
					for _, words := range [][]string{{"xylophone"}, {"boat", "xylophone"}, {"xylaphone", "pump"}, {"boat", "surprise"}} {
						q := query(words...)
						q.Vector = indextest.Embed("xylophone quagmire")
						found, err := db.Search(t.Context(), q, tt.predicate, 5, true)
						if err != nil || found.VectorError != nil {
							t.Fatal(err, found.VectorError)
						}
						for n := range found.Signals { // a sum of floats depends on their order
							found.Signals[n].MeanCosine = math.Round(1e9*found.Signals[n].MeanCosine) / 1e9
						}
						answers[i] += fmt.Sprintf("%s, %q:\n%+v\n%+v\n", how, words, found.Signals, found.Nearest)
					}
					byWords := must.Get(db.Search(t.Context(), query("boat", "quagmire"), tt.predicate, 10, false))(t)
					answers[i] += fmt.Sprintf("by words alone:\n%+v\n", byWords.ByWords(5))
					load(t, db)
				}
			}
			if answers[0] != answers[1] {
				t.Errorf("the right word gives\n%s\nthe wrong one\n%s", answers[0], answers[1])
			}
		})
	}
}

// What a user or a model may not see changes no figure of a search: neither the number of
// hidden memories nor their lengths.
func TestHiddenMemoriesChangeNoFigure(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: the race detector finds nothing")
	}
	private := true
	for name, tt := range map[string]struct {
		declared  memory.Declared
		predicate memory.Predicate
	}{
		"of another user":      {memory.Declared{User: "ben"}, memory.Predicate{View: memory.View{Users: []string{"", "lena"}}}},
		"private, for a model": {memory.Declared{Private: &private}, memory.Predicate{View: memory.View{Model: true, Pushed: true}}},
		"expired, for a model": {memory.Declared{Expires: noon.Add(-time.Hour)}, memory.Predicate{View: memory.View{Model: true, Pushed: true, Now: noon}}},
	} {
		t.Run(name, func(t *testing.T) {
			var answers [2]string
			for i := range answers {
				db := fresh(t)
				must.Do(t, db.UseModel(t.Context(), index.ServingModel, indextest.Model, indextest.Dim))
				apply(t, db, noon, file("a.md", "The boat is blue", "The pump of the boat was replaced in May", "The xylophones were sold"))
				if i == 1 {
					lines := []string{"The boat house has a pump", "A surprise waits in the boat, behind the blue pump and the xylophones", "The boat"}
					for n := range 1200 { // frequent words are counted too
						lines = append(lines, fmt.Sprintf("Boat %d has no pump, which is a surprise", n))
					}
					b := file("b.md", lines...)
					for n := range b.Placements {
						b.Placements[n].Block.Annotations = tt.declared
					}
					apply(t, db, noon, b)
				}
				must.Do(t, embedPending(t, db))
				for _, how := range []string{"from the tables", "in memory"} {
					q := query("boat", "pump", "surprise")
					q.Vector, q.Sections = indextest.Embed("boat pump"), true
					found, err := db.Search(t.Context(), q, tt.predicate, 5, true)
					if err != nil || found.VectorError != nil || len(found.Signals) == 0 {
						t.Fatal(found, err)
					}
					words := must.Get(db.Search(t.Context(), query("boat", "pump"), tt.predicate, 10, false))(t)
					answers[i] += fmt.Sprintf("%+v\n", words.ByWords(5))
					for n := range found.Signals { // a sum of floats depends on their order
						found.Signals[n].MeanCosine = math.Round(1e9*found.Signals[n].MeanCosine) / 1e9
					}
					answers[i] += fmt.Sprintf("%s:\n%+v\n%+v\n", how, found.Signals, found.Nearest)
					load(t, db)
				}
			}
			if answers[0] != answers[1] {
				t.Errorf("alone:\n%s\nwith hidden memories:\n%s", answers[0], answers[1])
			}
		})
	}
}

// What is hidden is kept between two commits only.
func TestAMemoryIsHiddenFromTheTablesAtOnce(t *testing.T) {
	db := fresh(t)
	apply(t, db, noon, file("a.md", "The boat is blue", "The safe opens with marmalade"))
	scoreOfBoat := func() float64 {
		t.Helper()
		found, err := db.Search(t.Context(), query("boat", "marmalade"), memory.Predicate{}, 5, false)
		for _, c := range found.Signals {
			if c.ID == id("The boat is blue") {
				return c.Score
			}
		}
		t.Fatalf("the boat is not found: %+v, %v", found, err)
		return 0
	}
	before := scoreOfBoat()
	if again := scoreOfBoat(); again != before {
		t.Errorf("the same question has %v, then %v", before, again)
	}
	must.Do(t, db.Update(t.Context(), noon, func(tx *index.Tx) error { return tx.ForgetText(id("The safe opens with marmalade")) }))
	if after := scoreOfBoat(); after == before {
		t.Errorf("the word of a forgotten memory still counts: %v", after)
	}
}
