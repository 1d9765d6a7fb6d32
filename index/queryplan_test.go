package index_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
)

func TestFrequentQueriesScanNoTable(t *testing.T) {
	indextest.SQLiteOnly(t)
	db := fresh(t)
	for _, query := range index.FrequentQueries {
		steps, err := db.Plan(query, "[]", "[]", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range steps {
			if strings.HasPrefix(step, "SCAN") && !isSmallScan(step) {
				t.Errorf("%s\nin %s", step, query)
			}
		}
	}
}

// isSmallScan reports whether a step reads few rows: a list of the query, the intents
// (i), or an index of rare rows.
func isSmallScan(step string) bool {
	return strings.Contains(step, "VIRTUAL TABLE") || step == "SCAN i" ||
		strings.HasSuffix(step, "idx_memories_sidecar") || strings.HasSuffix(step, "idx_memories_inherited") || strings.HasSuffix(step, "idx_places_triggers")
}
