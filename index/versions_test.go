package index_test

import (
	"testing"

	"github.com/memory-tiered/memory"
)

// TestLinkToALaterMemoryIsCompleted declares what supersedes a memory before that is
// indexed, as another order of files in a clone does.
func TestLinkToALaterMemoryIsCompleted(t *testing.T) {
	const older, newer = "the heron nests behind the mill", "the heron nests behind the mill pond"
	db := fresh(t)
	apply(t, db, noon, fileWithEntry("MEMORY.md", older, memory.Declared{SupersededBy: id(newer).Linked()}))
	if by := one(t, db, id(older)).SupersededBy; by == nil || *by != id(newer).Linked() {
		t.Errorf("superseded by %v before the other memory is known", by)
	}
	apply(t, db, noon, file("memory/later.md", newer))
	if by := one(t, db, id(older)).SupersededBy; by == nil || *by != id(newer) {
		t.Errorf("superseded by %v, want %s", by, id(newer))
	}
	before, after, err := db.Versions(t.Context(), id(newer))
	if err != nil || len(before) != 1 || before[0].ID != id(older) || len(after) != 0 {
		t.Errorf("versions %v, %v, %v", before, after, err)
	}
}
