package search

import (
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
)

// The chunks of an edited memory may have been written at different times.
func TestChunksThatAreNotAdjacentStayInOneDocument(t *testing.T) {
	owners := []memory.ID{"a", "b", "a", "a", "b", "c", "c", "c"}
	x := New("", 0)
	l := x.Loader(len(owners))
	for _, id := range owners {
		l.AddChunk(id, "", "text", [32]byte{})
	}
	for id, want := range map[memory.ID][]int32{"a": {0, 2, 3}, "b": {1, 4}, "c": {5, 6, 7}} {
		if got := x.docs[x.docIDs[id]].chunks; !slices.Equal(got, want) {
			t.Errorf("%s has the chunks %v, want %v", id, got, want)
		}
	}
}
