package index_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory/index"
)

func TestFrequentQueriesScanNoTable(t *testing.T) {
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

// isSmallScan reports whether a step reads a list of the query, the intents (i), of
// which there are a few, or an index of the rare rows that the query selects.
func isSmallScan(step string) bool {
	return strings.Contains(step, "VIRTUAL TABLE") || step == "SCAN i" ||
		strings.HasSuffix(step, "idx_memories_sidecar") || strings.HasSuffix(step, "idx_memories_inherited")
}
