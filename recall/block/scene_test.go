package block_test

import (
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/block"
)

func TestSceneOfThreeMemoriesIsALine(t *testing.T) {
	entry := func(id, heading string, trust memory.TrustTier) *block.Entry {
		return &block.Entry{IDPrefix: id, Memory: &memory.Memory{ID: memory.ID(id), Text: "Text " + id, Path: "memory/house.md", Heading: memory.List[string]{heading},
			Trust: trust, CreatedAt: time.Date(2026, 3, 12, 0, 0, 0, 0, time.UTC)}}
	}
	trusted := []*block.Entry{entry("aaaa", "Heating <b>", memory.TrustTrusted), entry("bbbb", "Heating <b>", memory.TrustTrusted), entry("cccc", "Heating <b>", memory.TrustTrusted)}
	for name, tt := range map[string]struct {
		entries   []*block.Entry
		maxTokens int
		want      string // the line; empty: none
	}{
		"three":     {trusted, 1000, "Of one Heating"},
		"two":       {trusted[:2], 1000, ""},
		"no room":   {trusted, block.TokenCount(block.Render(nil, trusted, 1000)) + 2, ""},
		"untrusted": {append(trusted[:2:2], entry("dddd", "Heating <b>", memory.TrustUntrusted)), 1000, ""},
		"the file":  {append(trusted[:2:2], entry("eeee", "Roof", memory.TrustTrusted)), 1000, "Of one house (2026-03-12): aaaa, bbbb, eeee\n</relevant-memories>"},
	} {
		before := block.Render(nil, tt.entries, tt.maxTokens)
		got := block.WithScene(before, tt.entries, tt.maxTokens)
		if tt.want == "" && got != before || !strings.Contains(got, tt.want) || strings.Contains(got, "<b>") || block.TokenCount(got) > tt.maxTokens {
			t.Errorf("%s: %s", name, got)
		}
	}
}
