package display_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func TestProgressOfAModelNamesWhenItIsReady(t *testing.T) {
	table := memory.EmbeddingStats{Model: "static/table", Dim: 256}
	for _, tt := range []struct {
		name string
		next memory.ModelChange
		want string
	}{
		{"not begun", memory.ModelChange{Total: 214, SecondsLeft: 170}, "heavy is filled in the background: 0 of 214 texts, ready in about 3 minutes"},
		{"nearly ready", memory.ModelChange{Done: 213, Total: 214, SecondsLeft: 1}, "213 of 214 texts, ready in about a minute"},
		{"a large workspace", memory.ModelChange{Total: 100_000, SecondsLeft: 20_000}, "ready in about 6 hours"},
		{"waits", memory.ModelChange{Total: 214, Waiting: "the machine runs on battery"}, "0 of 214 texts, waits: the machine runs on battery"},
	} {
		tt.next.Model, table.Next = "heavy", &tt.next
		if got := display.Embedding(table); !strings.HasPrefix(got, "static/table") || !strings.HasSuffix(got, tt.want) {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}
