package index_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/index"
)

// TestForgottenTextsAreKnownWithoutTheDatabase reads the marks while the database is
// open, as a command does beside a service.
func TestForgottenTextsAreKnownWithoutTheDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiered.db")
	contains := func(text string) bool {
		t.Helper()
		forgotten, err := index.ReadForgottenTexts(path)
		if err != nil {
			t.Fatal(err)
		}
		return forgotten.Contains(chunker.Fingerprint(text), text, nil)
	}
	if contains(vaultCode) {
		t.Error("without a file, a text is forgotten")
	}
	db := open(t, path, index.Options{})
	apply(t, db, noon, file("MEMORY.md", vaultCode, "the heron stands in the pond"))
	update(t, db, noon, func(tx *index.Tx) error { return tx.ForgetText(id(vaultCode)) })
	if !contains(vaultCode) || !contains(nearCopy) || contains("the heron stands in the pond") {
		t.Error("the file has other texts than the database")
	}
	if err := os.WriteFile(index.ForgottenFile(path), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := index.ReadForgottenTexts(path); err == nil {
		t.Error("a damaged file means that nothing is forgotten")
	}
}
