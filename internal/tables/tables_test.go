package tables_test

import (
	"slices"
	"testing"

	"github.com/memory-tiered/memory/internal/tables"
)

func TestLines(t *testing.T) {
	got := slices.Collect(tables.Lines("# comment\n[a]\none two\n\n  [b c]\n[really] three\n"))
	want := []tables.Line{{"a", 3, "one two"}, {"b c", 6, "[really] three"}}
	if !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}
