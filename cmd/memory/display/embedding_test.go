package display_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func TestProgressOfAModel(t *testing.T) {
	table := memory.EmbeddingStats{Model: "static/table", Dim: 256}
	for _, tt := range []struct {
		name string
		next memory.ModelChange
		want string
	}{
		{"not begun", memory.ModelChange{Total: 214}, "heavy is filled in the background: 0 of 214 texts"},
		{"waits", memory.ModelChange{Total: 214, Waiting: "the service has just started"}, "0 of 214 texts, waits: the service has just started"},
	} {
		tt.next.Model, table.Next = "heavy", &tt.next
		if got := display.Embedding(table); !strings.HasPrefix(got, "static/table") || !strings.HasSuffix(got, tt.want) {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}
