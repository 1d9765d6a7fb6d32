package index_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// TestOlderDatabaseKeepsWhatIsSuperseded opens a database as the last version left it
// that had superseded_by in its column alone.
func TestOlderDatabaseKeepsWhatIsSuperseded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiered.db")
	db := open(t, path, index.Options{})
	const older, newer = "the heron nests behind the mill", "the heron nests behind the mill pond"
	apply(t, db, noon, file("MEMORY.md", older, newer))
	for _, statement := range []string{
		"UPDATE memories SET superseded_by = '" + string(id(newer)) + "' WHERE id = '" + string(id(older)) + "'",
		"DROP INDEX idx_memories_superseded", "DROP INDEX idx_memories_sidecar", "DROP TABLE reviewed", "DROP TABLE former_lines", "DROP TABLE former_contexts", "DROP TABLE doubts",
		"DROP VIEW visible", "DROP VIEW remembered", "ALTER TABLE memories DROP COLUMN user",
		"ALTER TABLE memories DROP COLUMN graded_importance", "ALTER TABLE memories DROP COLUMN graded_label",
		"DROP INDEX idx_memories_bare", "ALTER TABLE memories DROP COLUMN bare", "DROP INDEX idx_memories_wording", "ALTER TABLE memories DROP COLUMN wording",
		"DROP INDEX idx_memories_inherited", "DROP INDEX idx_forgotten_wording", "ALTER TABLE forgotten DROP COLUMN wording", "ALTER TABLE embeddings DROP COLUMN plain", "ALTER TABLE memories DROP COLUMN held", "ALTER TABLE forgotten DROP COLUMN destroyed", "DROP TABLE former_texts", "PRAGMA user_version = 12",
	} {
		if err := db.Exec(statement); err != nil {
			t.Fatal(statement, err)
		}
	}
	if err := db.CloseConnections(); err != nil {
		t.Fatal(err)
	}
	db = open(t, path, index.Options{})
	apply(t, db, noon, file("MEMORY.md", older, newer, "a line that makes the file another one"))
	if by := one(t, db, id(older)).SupersededBy; by == nil || *by != id(newer) {
		t.Errorf("superseded by %v, want %s", by, id(newer))
	}
	update(t, db, noon, func(tx *index.Tx) error { return tx.Supersede(id(older), "") })
	if by := one(t, db, id(older)).SupersededBy; by != nil {
		t.Errorf("revoked, and still superseded by %s", *by)
	}
}

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

// TestMigrationsAreNumberedInOrder finds a number that is used twice or left out.
func TestMigrationsAreNumberedInOrder(t *testing.T) {
	names, err := filepath.Glob("schema/[0-9]*.sql")
	if err != nil || len(names) == 0 {
		t.Fatalf("%q, %v", names, err)
	}
	for i, name := range names {
		if want := fmt.Sprintf("schema/%04d_", i+1); !strings.HasPrefix(filepath.ToSlash(name), want) {
			t.Errorf("%s follows %d migrations", name, i)
		}
	}
}
