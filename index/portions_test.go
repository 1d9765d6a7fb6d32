package index_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
)

// A batch with more memories than a transaction holds in memory at a time has the
// same effect as a small one. Decisions cover copies in any portion, and what left
// the file is missing.
func TestLargeBatchIsAppliedInPortions(t *testing.T) {
	if testing.Short() {
		t.Skip("applies 5,000 memories, in one goroutine")
	}
	const n = 5000
	db := fresh(t)
	var lines []string
	for i := range n {
		lines = append(lines, fmt.Sprintf("memory number %d of a large file that nobody reads", i))
	}
	b := file("memory/large.md", lines...)
	secret := b.Placements[n-1]
	copied := secret
	copied.ID, copied.Ordinal = memory.NewID(secret.Block.Fingerprint, 1), n
	b.Placements = slices.Insert(b.Placements, 0, copied)
	b.Files[0].Entries = []memory.Entry{{Quote: secret.Block.Text, MatchedID: secret.ID, Declared: memory.Declared{Forgotten: yes()}}}
	apply(t, db, noon, b)
	for _, id := range []memory.ID{secret.ID, copied.ID} {
		if m := one(t, db, id); !m.Forgotten {
			t.Errorf("%s is not forgotten: %+v", id, m)
		}
	}
	if _, total, err := db.List(t.Context(), memory.Predicate{}, "", 1, 0); err != nil || total != n-1 {
		t.Errorf("%d memories, want %d, %v", total, n-1, err)
	}

	empty := file("memory/large.md")
	empty.Files[0].Hash[0]++
	apply(t, db, noon.Add(time.Hour), empty)
	if _, total, err := db.List(t.Context(), memory.Predicate{}, "", 1, 0); err != nil || total != 0 {
		t.Errorf("%d memories in an empty file, %v", total, err)
	}
	if m := one(t, db, id(lines[7])); !m.Missing || m.Path != "memory/large.md" || m.LineStart != 8 {
		t.Errorf("a missing memory: %+v", m)
	}
}
