package index_test

import (
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// TestForgottenTextBehindAnotherMarker forgets a text. Copies with another list marker,
// in a callout or with an anchor are forgotten too: present ones, and later ones.
func TestForgottenTextBehindAnotherMarker(t *testing.T) {
	const other = "the heron stands in the pond by the mill"
	for _, forgotten := range []string{vaultCode, "a) " + vaultCode} {
		db := fresh(t)
		present := []string{vaultCode, "a) " + vaultCode, "iv. " + vaultCode, "3.2.1 " + vaultCode}
		apply(t, db, noon, file("MEMORY.md", append(present, other, "a) "+other)...))
		update(t, db, noon, func(tx *index.Tx) error { return tx.ForgetText(id(forgotten)) })
		later := []string{"b) " + vaultCode, "[!note] " + vaultCode, "{#vault} " + vaultCode, vaultCode + " {#vault}"}
		apply(t, db, noon, file("memory/later.md", later...))
		all := append(present, later...)
		for _, text := range all {
			if !isForgotten(t, db, text) {
				t.Errorf("after forgetting %q, %q is visible", forgotten, text)
			}
		}
		if isForgotten(t, db, other) || isForgotten(t, db, "a) "+other) {
			t.Error("another text is forgotten")
		}
		if copies, err := db.Copies(t.Context(), []memory.ID{id(forgotten)}); err != nil || len(copies) != len(all) {
			t.Errorf("%d copies of %q, want %d, %v", len(copies), forgotten, len(all), err)
		}
		if named, err := db.WithWording(t.Context(), vaultCode); err != nil || len(named) != len(all) {
			t.Errorf("%d memories have the wording, want %d, %v", len(named), len(all), err)
		}
		update(t, db, noon, func(tx *index.Tx) error { return tx.RestoreText(id("iv. " + vaultCode)) })
		for _, text := range all {
			if isForgotten(t, db, text) {
				t.Errorf("after %q was forgotten and a copy restored, %q is forgotten", forgotten, text)
			}
		}
	}
}

// TestOlderDatabaseForgetsTextsBehindMarkers opens a database as the last version left it
// that did not know these marks.
func TestOlderDatabaseForgetsTextsBehindMarkers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiered.db")
	db := open(t, path, index.Options{})
	apply(t, db, noon, file("MEMORY.md", vaultCode))
	update(t, db, noon, func(tx *index.Tx) error { return tx.ForgetText(id(vaultCode)) })
	apply(t, db, noon, file("memory/list.md", "a) "+vaultCode, "a) the heron stands in the pond"))
	for _, statement := range []string{"UPDATE memories SET do_not_inject = 0 WHERE text LIKE 'a)%'",
		"DROP INDEX idx_memories_bare", "ALTER TABLE memories DROP COLUMN bare", "ALTER TABLE memories DROP COLUMN held", "ALTER TABLE forgotten DROP COLUMN destroyed", "DROP TABLE former_texts", "PRAGMA user_version = 27"} {
		if err := db.Exec(statement); err != nil {
			t.Fatal(statement, err)
		}
	}
	if err := db.CloseConnections(); err != nil {
		t.Fatal(err)
	}
	db = open(t, path, index.Options{})
	if !isForgotten(t, db, "a) "+vaultCode) || isForgotten(t, db, "a) the heron stands in the pond") {
		t.Error("the text behind a marker is visible, or another one is not")
	}
}
