package index_test

import (
	"errors"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
)

// A maker gives new texts their vectors in the transaction that writes them, if its model is
// in use. If it fails, the transaction writes nothing.
func TestMakerGivesNewTextsTheirVectors(t *testing.T) {
	for _, tt := range []struct {
		name, model   string
		role          index.ModelRole
		pending, made int // texts without a vector of the serving model, and with one of the maker's
	}{
		{"its model serves", indextest.Model, index.ServingModel, 0, 2},
		{"its model is kept", otherModel, index.KeptModel, 2, 2},
		{"its model is not in use", "unused", index.ServingModel, 2, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := indextest.New(t)
			for r, name := range map[index.ModelRole]string{index.ServingModel: indextest.Model, index.KeptModel: otherModel} {
				must.Do(t, db.UseModel(t.Context(), r, name, indextest.Dim))
			}
			must.Do(t, db.Load(t.Context()))
			failure := errors.New("no vectors")
			db.MakeVectors(&index.VectorMaker{Model: tt.model, Make: func(texts []index.PendingChunk) (map[memory.Fingerprint][]float32, error) {
				made := map[memory.Fingerprint][]float32{}
				for _, text := range texts {
					made[text.Fingerprint] = indextest.Embed(text.Text)
				}
				return made, failure
			}})
			batch := indextest.File("a.md", "red apple", "green pear")
			err := db.Apply(t.Context(), indextest.Noon, batch)
			if isUsed := tt.made > 0; isUsed != errors.Is(err, failure) {
				t.Fatalf("a maker that fails: %v", err)
			}
			failure = nil
			indextest.Apply(t, db, indextest.Noon, batch)
			pending, err := db.PendingCount(t.Context(), indextest.Model, true)
			if err != nil || pending != tt.pending {
				t.Errorf("%d texts are pending, not %d: %v", pending, tt.pending, err)
			}
			made, err := db.Vectors(t.Context(), tt.model, []memory.Fingerprint{batch.Placements[0].Chunks[0].Fingerprint, batch.Placements[1].Chunks[0].Fingerprint})
			if err != nil || len(made) != tt.made {
				t.Errorf("%d texts have vectors, not %d: %v", len(made), tt.made, err)
			}
			if tt.made > 0 && tt.role == index.ServingModel {
				found := nearestTexts(t, db, memory.Query{Model: tt.model, Vector: indextest.Embed("green pear")})
				if found != "green pear" {
					t.Errorf("found %q", found)
				}
			}
		})
	}
}
