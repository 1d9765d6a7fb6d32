package chunker_test

import (
	"testing"

	"github.com/memory-tiered/memory/chunker"
)

func TestPointersAreItemsThatBeginWithALinkToAFile(t *testing.T) {
	tests := []struct {
		in   string
		want bool
	}{
		{"- [Billing port](billing-port.md) — where it listens\n", true},
		{"* [Theme](<sub/my theme.MD>)\n", true},
		{"- [Part](topic.md#ports): a part\n", true},
		{"- The port is in [Billing port](billing-port.md)\n", false},
		{"- [Site](https://example.org/a.md) is down\n", false},
		{"- [Root](/etc/notes.md) is elsewhere\n", false},
		{"- [Script](run.sh) starts it\n", false},
		{"- [ ] a task (see.md)\n", false},
		{"- [Billing port](billing-port.md)\n  - and it moves in May\n", false},
		{"[Billing port](billing-port.md) — a paragraph\n", false},
	}
	for _, tt := range tests {
		blocks := chunker.Parse([]byte(tt.in), 0).Blocks
		if len(blocks) != 1 || chunker.IsPointer(blocks[0]) != tt.want {
			t.Errorf("%q: %d blocks, pointer %v, want %v", tt.in, len(blocks), len(blocks) == 1 && chunker.IsPointer(blocks[0]), tt.want)
		}
	}
}
