package memory_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/must"
)

// earlyEnd matches a pipe into a program that may end before it has read everything. The
// program before the pipe then dies of SIGPIPE. With pipefail the whole line fails, but only
// at times. Read the output first: grep -q WORD <<<"$(command)".
var earlyEnd = regexp.MustCompile(`\|&?\s*(head\b|[ef]?grep\s+(-[-a-zA-Z=]+\s+)*(-[a-zA-Z]*[qml]|--(quiet|silent|max-count|files-with)))`)

// TestScriptsReadWholeOutputs checks every shell script and every page.
func TestScriptsReadWholeOutputs(t *testing.T) {
	for line, found := range map[string]bool{
		"a | grep -q b": true, "a |grep -iq b": true, "a | grep -v -m 1 b": true, "a 2>&1 | head -n 1": true, "a | sed -n 1,5p": false,
		"grep -q a <<<\"$(b)\"": false, "grep -q a file": false, "a | grep b": false, "a || grep -q b file": false,
	} {
		if earlyEnd.MatchString(strings.ReplaceAll(line, "||", "or")) != found {
			t.Errorf("%q: found = %t", line, !found)
		}
	}
	var files []string
	for _, pattern := range []string{"scripts/*.sh", ".ci/*", ".github/workflows/*", "Makefile", "*.md", "docs/*.md"} {
		list := must.Get(filepath.Glob(pattern))(t)
		files = append(files, list...)
	}
	if len(files) < 20 {
		t.Fatalf("only %d files are found", len(files))
	}
	for _, name := range files {
		src := must.Get(os.ReadFile(name))(t)
		for n, line := range strings.Split(string(src), "\n") {
			if earlyEnd.MatchString(strings.ReplaceAll(line, "||", "or")) && !strings.HasPrefix(line, "|") {
				t.Errorf("%s:%d pipes into a program that may end early: %s", name, n+1, line)
			}
		}
	}
}
