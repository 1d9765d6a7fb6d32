package index_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/wording"
)

const (
	street        = "Der Schlüssel der Straße liegt groß unter Maßen"
	streetCapital = "DER SCHLÜSSEL DER STRASSE LIEGT GROSS UNTER MASSEN"
	price         = "The key costs 1\u202f000 euros in the shop"
)

// formerMark returns the mark of a long text's wording as older versions made it.
func formerMark(t *testing.T, db *index.DB, text string) []byte {
	t.Helper()
	key, err := db.Meta(t.Context(), "forget_key")
	if err != nil {
		t.Fatal(err)
	}
	secret, err := hex.DecodeString(key)
	if err != nil {
		t.Fatal(err)
	}
	hash := wording.Former(text)[0].Hash
	mark := hmac.New(sha256.New, secret)
	mark.Write([]byte("wording\x00"))
	mark.Write(hash[:])
	return mark.Sum(nil)
}

func TestForgottenTextInCapitals(t *testing.T) {
	db := fresh(t)
	apply(t, db, noon, file("MEMORY.md", street, price))
	update(t, db, noon, func(tx *index.Tx) error { return tx.ForgetText(id(street), id(price)) })
	copies := []string{streetCapital, "The key costs 1000 euros in the shop", "The key costs 1 000 euros in the shop"}
	apply(t, db, noon, file("memory/later.md", append(copies, "The key costs 10 euros in the shop")...))
	for _, text := range copies {
		if !isForgotten(t, db, text) {
			t.Errorf("%q is visible", text)
		}
	}
	if isForgotten(t, db, "The key costs 10 euros in the shop") {
		t.Error("another number is forgotten")
	}
	update(t, db, noon, func(tx *index.Tx) error { return tx.RestoreText(id(streetCapital)) })
	if isForgotten(t, db, street) || isForgotten(t, db, streetCapital) {
		t.Error("a restore of the capitals leaves a copy forgotten")
	}
}

// TestOlderDatabaseForgetsCapitals opens a database as the last version left it that
// compared letters one by one. Its copy in capitals is visible there.
func TestOlderDatabaseForgetsCapitals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiered.db")
	db := open(t, path, index.Options{})
	apply(t, db, noon, file("MEMORY.md", street))
	update(t, db, noon, func(tx *index.Tx) error { return tx.ForgetText(id(street)) })
	apply(t, db, noon, file("memory/b.md", streetCapital))
	for _, statement := range []string{
		"UPDATE memories SET do_not_inject = 0, wording = 1 WHERE text GLOB 'DER SCHL*'", "UPDATE memories SET wording = 2 WHERE text GLOB 'Der Schl*'",
		"UPDATE forgotten SET wording = x'" + hex.EncodeToString(formerMark(t, db, street)) + "'", "ALTER TABLE memories DROP COLUMN held", "ALTER TABLE forgotten DROP COLUMN destroyed", "DROP TABLE former_texts", "PRAGMA user_version = 30",
	} {
		if err := db.Exec(statement); err != nil {
			t.Fatal(statement, err)
		}
	}
	if err := db.CloseConnections(); err != nil {
		t.Fatal(err)
	}
	db = open(t, path, index.Options{})
	if !isForgotten(t, db, street) || !isForgotten(t, db, streetCapital) {
		t.Errorf("forgotten: %v, its copy in capitals: %v", isForgotten(t, db, street), isForgotten(t, db, streetCapital))
	}
	update(t, db, noon, func(tx *index.Tx) error { return tx.RestoreText(id(street)) })
	apply(t, db, noon, file("memory/c.md", "**"+street+"**"))
	if isForgotten(t, db, street) || isForgotten(t, db, streetCapital) || isForgotten(t, db, "**"+street+"**") {
		t.Error("a restore does not lift the mark of the older version")
	}
}

// TestFormerMarkOfUnknownText has a mark of an older version, and no text: it was
// destroyed. Its near copies stay forgotten.
func TestFormerMarkOfUnknownText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiered.db")
	db := open(t, path, index.Options{})
	key, err := db.Meta(t.Context(), "forget_key")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{"key": key, "marks": []string{hex.EncodeToString(formerMark(t, db, street))}})
	if err == nil {
		err = db.Close()
	}
	if err == nil {
		err = os.Remove(path)
	}
	if err == nil {
		err = os.WriteFile(index.ForgottenFile(path), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	db = open(t, path, index.Options{})
	apply(t, db, noon, file("MEMORY.md", street, "**"+street+"**", streetCapital))
	if !isForgotten(t, db, street) || !isForgotten(t, db, "**"+street+"**") {
		t.Error("the mark of the older version does not find its text")
	}
}
