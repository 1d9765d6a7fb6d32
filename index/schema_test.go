package index_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory/index"
)

var rewrite = flag.Bool("update", false, "write schema/durable.sql again")

// TestNewDatabaseHasTheDurableTablesOfTheMigrations fails when a migration was added and
// schema/durable.sql was not written again.
func TestNewDatabaseHasTheDurableTablesOfTheMigrations(t *testing.T) {
	migrated, embedded, err := index.DurableTables(t.Context(), filepath.Join(t.TempDir(), "migrated.db"))
	if err != nil {
		t.Fatal(err)
	}
	if *rewrite {
		if err := os.WriteFile("schema/durable.sql", []byte(migrated), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if embedded != migrated {
		t.Errorf("schema/durable.sql is not what the migrations create; run go test ./index -run DurableTables -update")
	}
}
