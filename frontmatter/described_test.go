package frontmatter_test

import (
	"testing"
	"time"

	"github.com/memory-tiered/memory/frontmatter"
)

func TestDescribeReadsWhatAClientWrites(t *testing.T) {
	for _, tt := range []struct{ name, src, text, modified string }{
		{"of Claude Code", "---\nname: a\ndescription: >-\n  Ports of\n  billing\nmetadata:\n  type: project\n  modified: 2026-10-02T08:00:00.000Z\n---\n\nText\n", "Ports of billing", "2026-10-02T08:00:00Z"},
		{"without a group", "---\nmodified: 2026-10-02\ndescription: Ports\n---\nText\n", "Ports", "2026-10-02T00:00:00Z"},
		{"of another kind", "---\ndescription: [a]\nmetadata: modified\nmodified: soon\n---\nText\n", "", "0001-01-01T00:00:00Z"},
		{"none", "Text\n", "", "0001-01-01T00:00:00Z"},
		{"broken", "---\ndescription: a: b\n---\nText\n", "", "0001-01-01T00:00:00Z"},
	} {
		d := frontmatter.Describe([]byte(tt.src), frontmatter.Parse([]byte(tt.src), nil))
		if got := d.Modified.UTC().Format(time.RFC3339); d.Text != tt.text || got != tt.modified {
			t.Errorf("%s: %q of %s, want %q of %s", tt.name, d.Text, got, tt.text, tt.modified)
		}
	}
}
