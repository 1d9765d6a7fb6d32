package index_test

import (
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/index/indextest"
)

// underTopic returns a file with a text under a heading.
func underTopic(path, text, heading string) memory.Batch {
	b := file(path, text)
	chunker.SetTopic(&b.Placements[0].Chunks[0], []string{heading})
	return b
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
