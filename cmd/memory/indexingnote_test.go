package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// TestAnswersOfAFirstIndexHaveANote prints the answers that a running service gives
// while it indexes a folder.
func TestAnswersOfAFirstIndexHaveANote(t *testing.T) {
	tests := []struct {
		at   memory.Progress
		want string
	}{
		{memory.Progress{Stage: "read"}, "it has just begun"},
		{memory.Progress{Stage: "read", Done: 12, Total: 300}, "12 of 300 files"},
		{memory.Progress{Stage: "index", Done: 7000, Total: 20_000}, "7000 of 20000 memories"},
	}
	for _, tt := range tests {
		var notes bytes.Buffer
		a := &app{out: &bytes.Buffer{}, err: &notes}
		a.printHits(a.out, memory.SearchAnswer{Indexing: &tt.at})
		if got := notes.String(); !strings.Contains(got, "No relevant memories found\nnote: the files are still being indexed") || !strings.Contains(got, tt.want) {
			t.Errorf("%+v: %q", tt.at, got)
		}
		if got := freshness(memory.WorkspaceStatus{Available: true, Indexing: &tt.at, Behind: 1}); !strings.Contains(got, tt.want) {
			t.Errorf("status of %+v: %q", tt.at, got)
		}
	}
	var notes bytes.Buffer
	a := &app{out: &bytes.Buffer{}, err: &notes}
	if a.noteGaps(0, nil, false); notes.Len() > 0 {
		t.Errorf("a note without indexing: %q", notes.String())
	}
}
