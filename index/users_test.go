package index_test

import (
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// TestOlderDatabaseReadsItsFilesAgainForTheirUsers opens a database as the last version
// without users left it.
func TestOlderDatabaseReadsItsFilesAgainForTheirUsers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiered.db")
	db := open(t, path, index.Options{})
	b := file("MEMORY.md", "the heron stands in the pond")
	apply(t, db, noon, b)
	for _, statement := range []string{
		"DROP VIEW visible", "DROP VIEW remembered", "DROP TABLE doubts", "DROP INDEX idx_memories_bare", "ALTER TABLE memories DROP COLUMN bare", "ALTER TABLE memories DROP COLUMN user",
		"ALTER TABLE memories DROP COLUMN graded_importance", "ALTER TABLE memories DROP COLUMN graded_label",
		"DROP TABLE current_context", "CREATE TABLE current_context (id INTEGER PRIMARY KEY CHECK (id = 1), text TEXT NOT NULL, set_at INTEGER NOT NULL, expires_at INTEGER NOT NULL) STRICT",
		"INSERT INTO current_context(id, text, set_at, expires_at) VALUES (1, 'on holiday', 1, 9000000000000)", "ALTER TABLE former_contexts DROP COLUMN user", "ALTER TABLE embeddings DROP COLUMN plain", "ALTER TABLE memories DROP COLUMN held", "ALTER TABLE forgotten DROP COLUMN destroyed", "DROP TABLE former_texts", "PRAGMA user_version = 18",
	} {
		if err := db.Exec(statement); err != nil {
			t.Fatal(statement, err)
		}
	}
	if err := db.CloseConnections(); err != nil {
		t.Fatal(err)
	}
	db = open(t, path, index.Options{})
	hashes, err := db.Hashes(t.Context(), []string{"MEMORY.md"})
	if err != nil || hashes["MEMORY.md"] == b.Files[0].Hash {
		t.Errorf("the file is not read again: %v", err)
	}
	if c, err := db.Context(t.Context(), noon, []string{"lena", ""}); err != nil || c == nil || c.Text != "on holiday" {
		t.Errorf("the current context is not everybody's: %+v %v", c, err)
	}
	b.Placements[0].Block.Annotations.User = "lena"
	apply(t, db, noon, b)
	if got := one(t, db, b.Placements[0].ID).User; got != "lena" {
		t.Errorf("user %q", got)
	}
}

func TestRedactionsHideTheMemoriesOfOtherUsersAndScopes(t *testing.T) {
	db := fresh(t)
	apply(t, db, noon, fileWithEntry("MEMORY.md", password, memory.Declared{User: "lena", Scope: "home"}))
	block := memory.Block{Text: password, Fingerprint: fingerprint(password), Heading: one(t, db, id(password)).Heading}
	for _, tt := range []struct {
		readable index.Readable
		want     bool
	}{
		{index.Readable{}, false}, {index.Readable{Users: []string{"", "lena"}}, false}, {index.Readable{Users: []string{""}}, true},
		{index.Readable{Users: []string{"", "ben"}}, true}, {index.Readable{Scope: "home"}, false}, {index.Readable{Scope: "work"}, true},
	} {
		redactions, err := db.Redactions(t.Context(), noon, tt.readable, []string{"MEMORY.md"})
		if err != nil || redactions.Hides("MEMORY.md", 0, block) != tt.want || redactions.Hides("memory/new.md", 3, block) != tt.want {
			t.Errorf("%+v: want %v (%v)", tt.readable, tt.want, err)
		}
	}
}

func TestRedactionsShowWhatHoldsForTheReader(t *testing.T) {
	const older, newer = "the vault is on floor 3 of the old mill", "the vault is on floor 4 of the old mill"
	for name, tt := range map[string]struct {
		successor memory.Declared
		readable  index.Readable
		hidden    bool
	}{
		"a successor":      {hidden: true},
		"a forgotten one":  {successor: memory.Declared{Forgotten: yes()}},
		"a private one":    {successor: memory.Declared{Private: yes()}},
		"one of a scope":   {successor: memory.Declared{Scope: "work"}, readable: index.Readable{Scope: "home"}},
		"one of the scope": {successor: memory.Declared{Scope: "work"}, readable: index.Readable{Scope: "work"}, hidden: true},
		"one of a user":    {successor: memory.Declared{User: "lena"}, readable: index.Readable{Users: []string{"", "ben"}}},
	} {
		db := fresh(t)
		b := file("MEMORY.md", older, newer)
		b.Placements[0].Block.Annotations.SupersededBy, b.Placements[1].Block.Annotations = id(newer), tt.successor
		apply(t, db, noon, b)
		block := memory.Block{Text: older, Fingerprint: fingerprint(older), Heading: one(t, db, id(older)).Heading}
		redactions, err := db.Redactions(t.Context(), noon, tt.readable, []string{"MEMORY.md"})
		if err != nil || redactions.Hides("MEMORY.md", 0, block) != tt.hidden || redactions.Hides("memory/new.md", 3, block) != tt.hidden {
			t.Errorf("%s: want %v (%v)", name, tt.hidden, err)
		}
	}
}
