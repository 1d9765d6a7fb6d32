package edits_test

import (
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/edits"
)

func TestLinesOfAMemoryHaveNoLastLineEnd(t *testing.T) {
	src := []byte("# Ports\r\n- one\r\n  more\r\n- two")
	for want, m := range map[string]memory.Memory{
		"- one\r\n  more": {LineStart: 2, LineEnd: 3},
		"- two":           {LineStart: 4, LineEnd: 4},
		"":                {LineStart: 5, LineEnd: 6},
	} {
		if got := edits.LinesOf(src, m); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if edits.HashLines("- one\r\n  more\r\n") != edits.HashLines("- one\n  more") {
		t.Error("the hash depends on the line ends")
	}
}

func TestKeepBytesPutsLostBytesBack(t *testing.T) {
	for _, tt := range []struct {
		was, edited, want string
		ok                bool
	}{
		{"- caf\xe9 one", "- caf\uFFFD two", "- caf\xe9 two", true},
		{"- \xe9 \xe8", "- \uFFFD", "", false},
		{"- caf\xe9", "- café", "- café", true},
		{"- plain", "- \uFFFD", "- \uFFFD", true},
	} {
		if got, ok := edits.KeepBytes(tt.was, tt.edited); got != tt.want || ok != tt.ok {
			t.Errorf("%q → %q: %q, %v", tt.was, tt.edited, got, ok)
		}
	}
}
