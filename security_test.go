package memory_test

import (
	"regexp"
	"strings"
	"testing"
)

// TestEachThreatHasItsTest reads the table of SECURITY.md: a row names one test at least,
// and every named test exists.
func TestEachThreatHasItsTest(t *testing.T) {
	tests := map[string]bool{}
	declaration, name := regexp.MustCompile(`(?m)^func (Test\w+)\(`), regexp.MustCompile("`(Test\\w+)`")
	for _, file := range testFiles(t) {
		for _, found := range declaration.FindAllStringSubmatch(readText(t, file.path), -1) {
			tests[found[1]] = true
		}
	}
	_, table, _ := strings.Cut(readText(t, "SECURITY.md"), "|---|---|---|\n")
	rows := 0
	for row := range strings.Lines(table) {
		if !strings.HasPrefix(row, "|") {
			break
		}
		rows++
		named := name.FindAllStringSubmatch(row, -1)
		if len(named) == 0 {
			t.Errorf("no test covers this threat: %s", row)
		}
		for _, found := range named {
			if !tests[found[1]] {
				t.Errorf("there is no test %s", found[1])
			}
		}
	}
	if rows < 10 {
		t.Errorf("only %d threats are found", rows)
	}
}
