package index_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
)

const (
	vaultCode = "The vault code of the zebraquux house is four seven one one"
	nearCopy  = "The vault code of the **Zebraquux** house is: four seven one one."
)

func isForgotten(t *testing.T, db *index.DB, text string) bool {
	t.Helper()
	return one(t, db, id(text)).Forgotten
}

// TestMarksOutliveTheDatabase loses a database and keeps its file of marks.
func TestMarksOutliveTheDatabase(t *testing.T) {
	indextest.SQLiteOnly(t)
	path := filepath.Join(t.TempDir(), "tiered.db")
	db := open(t, path, index.Options{})
	apply(t, db, noon, file("MEMORY.md", vaultCode))
	update(t, db, noon, func(tx *index.Tx) error { return tx.ForgetText(id(vaultCode)) })
	closeNow(t, db)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	db = open(t, path, index.Options{})
	apply(t, db, noon, file("MEMORY.md", vaultCode, nearCopy))
	if !isForgotten(t, db, vaultCode) || !isForgotten(t, db, nearCopy) {
		t.Errorf("the text is forgotten: %v, its near copy: %v", isForgotten(t, db, vaultCode), isForgotten(t, db, nearCopy))
	}
}
