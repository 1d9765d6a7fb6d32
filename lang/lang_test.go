package lang_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
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

// A section that no page describes is misspelt, or nobody reads it.
func TestPagesDescribeAllSections(t *testing.T) {
	files, err := filepath.Glob("*/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tables: %v", err)
	}
	described := regexp.MustCompile("`([^`]*)`")
	for _, file := range files {
		subject := strings.TrimSuffix(filepath.Base(file), ".txt")
		page, err := os.ReadFile(subject + ".md")
		if err != nil {
			t.Errorf("%s has no page: %v", file, err)
			continue
		}
		var names []string
		for _, match := range described.FindAllStringSubmatch(string(page), -1) {
			names = append(names, match[1])
		}
		for line := range lang.LinesOf(filepath.Dir(file), subject) {
			kind, rest, _ := strings.Cut(line.Section, " ")
			hasKind := rest != "" && slices.ContainsFunc(names, func(name string) bool {
				general, isGeneral := strings.CutPrefix(name, kind+" ")
				return isGeneral && general == strings.ToUpper(general)
			})
			if subject == "alignment" { // a section of several roles
				hasKind = !slices.ContainsFunc(strings.Fields(line.Section), func(role string) bool { return !slices.Contains(names, role) })
			}
			if !hasKind && !slices.Contains(names, line.Section) {
				t.Errorf("%s:%d: %s.md does not describe the section %q", file, line.Number, subject, line.Section)
			}
		}
	}
}

func TestWords(t *testing.T) {
	isOutdated := lang.Words("notes", "outdated")
	for word, want := range map[string]bool{"outdated": true, "no longer valid": true, "no_longer_valid": false, "veraltet": true, "new": false} {
		if got := isOutdated(word); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
}
