package index_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
)

// underTopic returns a file with a text under a heading.
func underTopic(path, text, heading string) memory.Batch {
	b := file(path, text)
	chunker.SetTopic(&b.Placements[0].Chunks[0], []string{heading})
	return b
}

// An older version made vectors of texts alone. Such a vector serves until there is one
// with the topic, with and without the index in memory.
func TestPlainVectorServesUntilThereIsOneWithTheTopic(t *testing.T) {
	for name, noInMemory := range map[string]bool{"in memory": false, "tables": true} {
		t.Run(name, func(t *testing.T) {
			db := open(t, filepath.Join(t.TempDir(), "tiered.db"), index.Options{NoInMemory: noInMemory})
			const text = "leave it in the blue shed"
			b := underTopic("a.md", text, "Bicycles")
			key := b.Placements[0].Chunks[0].Fingerprint
			if err := db.SetModel(t.Context(), indextest.Model, indextest.Dim); err != nil {
				t.Fatal(err)
			}
			if err := db.PutVectors(t.Context(), indextest.Model, map[memory.Fingerprint][]float32{fingerprint(text): indextest.Embed(text)}); err != nil {
				t.Fatal(err)
			}
			if err := db.Load(t.Context()); err != nil {
				t.Fatal(err)
			}
			state := func(when string, wantPlain, wantComplete bool) {
				t.Helper()
				plain, err := db.PlainVectors(t.Context(), indextest.Model, []memory.Fingerprint{key})
				if err != nil || (len(plain) > 0) != wantPlain {
					t.Errorf("%s: plain vectors %v, %v", when, plain, err)
				}
				whole, err := db.Vectors(t.Context(), indextest.Model, []memory.Fingerprint{key})
				if err != nil || (len(whole) > 0) != wantComplete {
					t.Errorf("%s: vectors with the topic %v, %v", when, whole, err)
				}
				complete, err := db.HasAllVectors(t.Context(), indextest.Model)
				if err != nil || complete != wantComplete {
					t.Errorf("%s: complete %v, %v", when, complete, err)
				}
			}
			apply(t, db, noon, b)
			if got := nearest(t, db, text, memory.Predicate{}); !slices.Equal(got, []string{text}) {
				t.Errorf("before there is a vector with the topic: %q", got)
			}
			state("before", true, false)
			pending, err := db.Pending(t.Context(), indextest.Model, 10)
			if err != nil || len(pending) != 1 || pending[0].Topic != "Bicycles" || pending[0].Text != text {
				t.Fatalf("pending %+v, %v", pending, err)
			}
			const other = "the heron stands in the pond" // so that the new vector is seen to answer
			if err := db.PutPending(t.Context(), indextest.Model, map[memory.Fingerprint][]float32{key: indextest.Embed(other)}); err != nil {
				t.Fatal(err)
			}
			state("after", false, true)
			found, err := db.SearchVector(t.Context(), memory.Query{Vector: indextest.Embed(other), Model: indextest.Model}, memory.Predicate{}, 3)
			if err != nil || len(found) != 1 || found[0].Raw < 0.99 {
				t.Errorf("the new vector does not answer: %+v, %v", found, err)
			}
		})
	}
}

// Destroy removes the vectors that a text had under former headings too.
func TestDestroyRemovesVectorsUnderFormerTopics(t *testing.T) {
	db := fresh(t)
	var keys []memory.Fingerprint
	for _, heading := range []string{"Vault", "Safe"} {
		b := underTopic("a.md", destroyed, heading)
		apply(t, db, noon, b)
		embedAll(t, db)
		keys = append(keys, b.Placements[0].Chunks[0].Fingerprint)
	}
	kept := underTopic("b.md", "the heron stands in the pond", "Vault")
	apply(t, db, noon, kept)
	embedAll(t, db)
	keys = append(keys, kept.Placements[0].Chunks[0].Fingerprint)
	if found, err := db.Vectors(t.Context(), indextest.Model, keys); err != nil || len(found) != 3 {
		t.Fatalf("before: %d vectors, %v", len(found), err)
	}
	destroy(t, db, id(destroyed))
	if found, err := db.Vectors(t.Context(), indextest.Model, keys); err != nil || len(found) != 1 || found[keys[2]] == nil {
		t.Errorf("after: %d vectors, %v", len(found), err)
	}
}
