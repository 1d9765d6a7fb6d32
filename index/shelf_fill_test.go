package index

import (
	"database/sql/driver"
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
)

// The chunks of a memory that was edited need not lie together.
func TestChunksThatLieApartStayOneMemorys(t *testing.T) {
	owners := []memory.ID{"a", "b", "a", "a", "b", "c", "c", "c"}
	f := &loader{index: newSearchIndex(model{}), lastChunk: map[hash]int32{}}
	f.reserve(len(owners))
	f.sendBatch() // room for a batch
	for i, id := range owners {
		if err := f.chunk([]driver.Value{int64(i), string(id), "text", "", "", "", nil}); err != nil {
			t.Fatal(err)
		}
	}
	for id, want := range map[memory.ID][]int32{"a": {0, 2, 3}, "b": {1, 4}, "c": {5, 6, 7}} {
		if got := f.index.docs[f.index.docIDs[id]].chunks; !slices.Equal(got, want) {
			t.Errorf("%s has the leaves %v, want %v", id, got, want)
		}
	}
}
