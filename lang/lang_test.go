package lang_test

import (
	"slices"
	"testing"

	"github.com/memory-tiered/memory/lang"
)

func TestRead(t *testing.T) {
	got := slices.Collect(lang.Read("# comment\n[a]\none two\n\n  [b c]\n[really] three\n"))
	want := []lang.Line{{"", "a", 3, "one two"}, {"", "b c", 6, "[really] three"}}
	if !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

func TestLines(t *testing.T) {
	if got := lang.Languages(); !slices.Contains(got, "en") || !slices.IsSorted(got) {
		t.Errorf("languages: %v", got)
	}
	found := map[string]bool{}
	for line := range lang.Lines("capture") {
		found[line.File] = true
		if line.Section == "" {
			t.Errorf("%s:%d: a line above the first section", line.File, line.Number)
		}
	}
	if !found["en/capture.txt"] || !found["de/capture.txt"] {
		t.Errorf("files: %v", found)
	}
	for line := range lang.Lines("nothing") {
		t.Errorf("an unknown subject has a line: %v", line)
	}
}
