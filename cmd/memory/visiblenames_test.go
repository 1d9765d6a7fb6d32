package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFileNamesCannotControlTheTerminal(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	name := "no\x1b[2Jte\u202e\nevil.md"
	if err := os.MkdirAll(filepath.Join(dir, "memory"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "memory", name), []byte("---\ntier: nowhere\n---\n- the heron \x1b[31mstands\u200b in the pond\n"), 0o644); err != nil {
		t.Skipf("this system does not allow the file name: %v", err)
	}
	for _, args := range [][]string{{"index"}, {"search", "heron"}, {"list", "--tier", "hot"}, {"status"}, {"recall", "Where does the heron stand?"},
		{"forget", "--query", "heron", "--yes"}, {"audit"}, {"verify", "heron in the pond"}} {
		if out := runProgram(t, dir, state, args...); strings.ContainsAny(out, "\x1b\u202e\u200b") || strings.Contains(out, "\nevil.md") {
			t.Errorf("memory %s prints %q", strings.Join(args, " "), out)
		}
	}
}
