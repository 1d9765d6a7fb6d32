package query_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory/index/indextest"
	queries "github.com/memory-tiered/memory/index/query"
)

// TestKnownScansNoTable reads how SQLite answers the queries that run with every change.
func TestKnownScansNoTable(t *testing.T) {
	indextest.SQLiteOnly(t)
	db := fresh(t)
	for _, sql := range queries.KnownQueries {
		steps, err := db.PlanOf(t.Context(), sql, "[]", "[]", nil, "[]", "[]")
		if err != nil || len(steps) == 0 {
			t.Fatalf("%v\nin %s", err, sql)
		}
		for _, step := range steps {
			if strings.HasPrefix(step, "SCAN") && !strings.Contains(step, "VIRTUAL TABLE") && step != "SCAN i" {
				t.Errorf("%s\nin %s", step, sql)
			}
		}
	}
}
