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
			if strings.HasPrefix(step, "SCAN") && !strings.Contains(step, "VIRTUAL TABLE") && step != "SCAN i" { // i: the intents, at most a few
				t.Errorf("%s\nin %s", step, query)
			}
		}
	}
}
