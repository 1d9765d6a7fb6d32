package index_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

const (
	vaultCode = "The vault code of the zebraquux house is four seven one one"
	nearCopy  = "The vault code of the **Zebraquux** house is: four seven one one."
)

func isForgotten(t *testing.T, db *index.DB, text string) bool {
	t.Helper()
	return one(t, db, id(text)).Forgotten
}

// TestOlderDatabaseGetsTheWordingsOfItsTexts opens a database as the last version
// without wordings left it.
func TestOlderDatabaseGetsTheWordingsOfItsTexts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiered.db")
	db := open(t, path, index.Options{})
	apply(t, db, noon, file("MEMORY.md", vaultCode, "the heron stands in the pond"))
	update(t, db, noon, func(tx *index.Tx) error { return tx.ForgetText(id(vaultCode)) })
	for _, statement := range []string{
		"DROP TABLE former_contexts", "DROP TABLE doubts", "DROP INDEX idx_memories_bare", "ALTER TABLE memories DROP COLUMN bare", "DROP INDEX idx_memories_wording", "ALTER TABLE memories DROP COLUMN wording",
		"DROP VIEW visible", "DROP VIEW remembered", "ALTER TABLE memories DROP COLUMN user",
		"ALTER TABLE memories DROP COLUMN graded_importance", "ALTER TABLE memories DROP COLUMN graded_label",
		"DROP INDEX idx_memories_inherited", "DROP INDEX idx_forgotten_wording", "ALTER TABLE forgotten DROP COLUMN wording", "ALTER TABLE embeddings DROP COLUMN plain", "ALTER TABLE memories DROP COLUMN held", "ALTER TABLE forgotten DROP COLUMN destroyed", "DROP TABLE former_texts", "PRAGMA user_version = 15",
	} {
		if err := db.Exec(statement); err != nil {
			t.Fatal(statement, err)
		}
	}
	if err := db.CloseConnections(); err != nil {
		t.Fatal(err)
	}
	withoutWordings(t, index.ForgottenFile(path))

	db = open(t, path, index.Options{})
	apply(t, db, noon, file("memory/near.md", nearCopy))
	if !isForgotten(t, db, vaultCode) || !isForgotten(t, db, nearCopy) || isForgotten(t, db, "the heron stands in the pond") {
		t.Error("the marks of the older version do not cover the wording")
	}
	if copies, err := db.Copies(t.Context(), []memory.ID{id(nearCopy)}); err != nil || len(copies) != 2 {
		t.Errorf("copies %v, %v", copies, err)
	}
	if exact, err := db.ExactCopies(t.Context(), []memory.ID{id(nearCopy)}); err != nil || len(exact) != 1 {
		t.Errorf("exact copies %v, %v", exact, err)
	}
	update(t, db, noon, func(tx *index.Tx) error { return tx.RestoreText(id(nearCopy)) })
	if isForgotten(t, db, vaultCode) || isForgotten(t, db, nearCopy) {
		t.Error("a restore does not lift the mark of the older version")
	}
}

// withoutWordings writes a file of marks as an older version wrote it.
func withoutWordings(t *testing.T, path string) {
	t.Helper()
	var marks map[string]any
	if err := json.Unmarshal(read(t, path), &marks); err != nil || len(marks["wordings"].([]any)) != 1 {
		t.Fatalf("the file of marks: %v, %v", marks, err)
	}
	delete(marks, "wordings")
	delete(marks, "sum")
	text, err := json.Marshal(marks)
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestMarksOutliveTheDatabase loses a database and keeps its file of marks, as this
// version and as an older one wrote it.
func TestMarksOutliveTheDatabase(t *testing.T) {
	for _, older := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "tiered.db")
		db := open(t, path, index.Options{})
		apply(t, db, noon, file("MEMORY.md", vaultCode))
		update(t, db, noon, func(tx *index.Tx) error { return tx.ForgetText(id(vaultCode)) })
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if older {
			withoutWordings(t, index.ForgottenFile(path))
		}
		db = open(t, path, index.Options{})
		apply(t, db, noon, file("MEMORY.md", vaultCode, nearCopy))
		if !isForgotten(t, db, vaultCode) || isForgotten(t, db, nearCopy) == older {
			t.Errorf("older file %v: the text is forgotten: %v, its near copy: %v", older, isForgotten(t, db, vaultCode), isForgotten(t, db, nearCopy))
		}
	}
}
