package migrate_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/migrate"
)

// TestOnlyTheUsersObservationsAreTrusted has rows of assistants and tools in each of the
// fields that tell so.
func TestOnlyTheUsersObservationsAreTrusted(t *testing.T) {
	path := database(t, `CREATE TABLE observations (id INTEGER PRIMARY KEY, ts TEXT, kind TEXT, summary TEXT, tool_name TEXT, detail_json TEXT);
		INSERT INTO observations(kind, summary, tool_name, detail_json) VALUES ('note', 'of a tool', 'bash', '{}'), ('assistant', 'of kind', NULL, '{}'),
		('note', 'of role', NULL, '{"role": "assistant"}'), ('note', 'own', NULL, '{"role": "user"}'), ('fact', 'own too', '', '{}');`)
	content, err := readDatabase(t, migrate.OpenClawMem, path)
	if err != nil || len(content.Entries) != 5 {
		t.Fatal(content, err)
	}
	for _, e := range content.Entries {
		if own := strings.HasPrefix(e.Text, "own"); own == (e.Declared.Trust == memory.TrustUntrusted) {
			t.Errorf("%q is %q", e.Text, e.Declared.Trust)
		}
	}
}

func TestDamagedDatabaseIsInvalid(t *testing.T) {
	path := database(t, cells+`WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i+1 FROM n WHERE i < 3000)
		INSERT INTO mem_cells SELECT i, 'home', 'fact', 0.5, 'The mill number ' || i || ' burned down in the great fire', '[]', NULL, '', '', '' FROM n;
		PRAGMA wal_checkpoint(TRUNCATE);`)
	src := must.Get(os.ReadFile(path))(t)
	for i := 16_384; i < len(src); i++ { // the schema is good
		src[i] = 0xa5
	}
	must.Do(t, os.WriteFile(path, src, 0o600))
	if _, err := readDatabase(t, migrate.OCMemory, path); !errors.Is(err, memory.ErrInvalid) || errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("a damaged database: %v", err)
	}
}
