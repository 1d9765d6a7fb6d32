package index_test

import (
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
