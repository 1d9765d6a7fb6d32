package chunker_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

// TestNearMissOfAProtectingCommentProtects checks comments that a person probably
// meant to hide a memory: each hides it, and is a fault.
func TestNearMissOfAProtectingCommentProtects(t *testing.T) {
	for _, comment := range []string{"<!-- privat -->", "<!-- Privat. -->", "<!-- priv -->", "<!-- priv: true -->", "<!-- privte -->",
		"<!-- private -- >", "<!-- private ->", "<!-- private", "<!-- private > x", "<!-- privat -- >", "<!-- forgotten -->", "<!-- forgotten: 2026-11-20 -->",
		"<!-- tier: hot; privat -->"} {
		l := chunker.Parse([]byte("- x "+comment+"\n- y\n"), 0)
		if len(l.Blocks) != 2 || !hidden(l.Blocks[0]) || hidden(l.Blocks[1]) || len(l.Faults) != 1 {
			t.Errorf("%s: %+v, faults %v", comment, l.Blocks, l.Faults)
		}
	}
	for comment, want := range map[string]memory.TrustTier{"quarantined": memory.TrustQuarantined, "quarantine": memory.TrustQuarantined,
		"untrusted": memory.TrustQuarantined, "trust: [quarantined]": memory.TrustQuarantined, "trust: quarantined -- >\n<!-- x": memory.TrustQuarantined} {
		l := chunker.Parse([]byte("- x <!-- "+comment+" -->\n"), 0)
		if l.Blocks[0].Annotations.Trust != want || len(l.Faults) != 1 {
			t.Errorf("%s: trust %q, faults %v", comment, l.Blocks[0].Annotations.Trust, l.Faults)
		}
	}
	for _, comment := range []string{"<!-- pined -->", "<!-- pinned -- >"} {
		l := chunker.Parse([]byte("- x "+comment+"\n"), 0)
		if d := l.Blocks[0].Annotations; d.Pinned != nil || hidden(l.Blocks[0]) || len(l.Faults) != 1 {
			t.Errorf("%s: %+v, faults %v", comment, l.Blocks, l.Faults)
		}
	}
	for _, text := range []string{"<!-- prime -->", "<!-- pin -->", "<!-- quarter -->", "a <- private key", "`<!-- private -- >`", `\<!-- private -- >`,
		"<!-- later -- >", "<!-- trust -->y<!-- -->"} {
		l := chunker.Parse([]byte("- x "+text+"\n"), 0)
		if hidden(l.Blocks[0]) || len(l.Faults) > 0 && !strings.Contains(text, "trust") {
			t.Errorf("%s: %+v, faults %v", text, l.Blocks, l.Faults)
		}
	}
}

// TestNearMissOfACommentProtects checks what Markdown takes for text.
func TestNearMissOfACommentProtects(t *testing.T) {
	for _, comment := range []string{"<!- private -->", "<! -- private -->", "< !-- private -->", "<!— private —>", "<!-– private –>", "<! - Private. ->",
		"<!- tier: hot; private: true -->", "<!- privat -->", "＜!-- private --＞", "<！-- private -->", "<!－－ ｐｒｉｖａｔｅ －－>"} {
		l := chunker.Parse([]byte("- x "+comment+"\n- y\n"), 0)
		if len(l.Blocks) != 2 || !hidden(l.Blocks[0]) || hidden(l.Blocks[1]) || len(l.Faults) != 1 || l.Faults[0].Line != 1 {
			t.Errorf("%s: %+v, faults %v", comment, l.Blocks, l.Faults)
		}
		l = chunker.Parse([]byte("# A\n\n- a\n\n## H "+comment+"\n\n- b\n\n## J\n\n- c\n"), 0)
		if len(l.Blocks) != 3 || hidden(l.Blocks[0]) || !hidden(l.Blocks[1]) || hidden(l.Blocks[2]) || len(l.Faults) != 1 {
			t.Errorf("%s in a heading: %+v, faults %v", comment, l.Blocks, l.Faults)
		}
		l = chunker.Parse([]byte("- a\n\n"+comment+"\n\n- b\n- c\n"), 0)
		if n := len(l.Blocks); n != 4 || !hidden(l.Blocks[0]) || !hidden(l.Blocks[2]) || hidden(l.Blocks[3]) || len(l.Faults) != 1 {
			t.Errorf("%s between blank lines: %+v, faults %v", comment, l.Blocks, l.Faults)
		}
	}
	l := chunker.Parse([]byte("- x <!- trust: quarantined -->\n"), 0)
	if l.Blocks[0].Annotations.Trust != memory.TrustQuarantined || len(l.Faults) != 1 {
		t.Errorf("trust: %+v, faults %v", l.Blocks, l.Faults)
	}
	for _, text := range []string{"a <- private key", "the word private is here", "`<!- private -->`", "<! -- the private key of the host -->",
		"a < ! b - private - c > d", "if a <!b - private: x", "<!- later -->", "\\<!- private -->", "<private>"} {
		if l := chunker.Parse([]byte("- x "+text+"\n"), 0); hidden(l.Blocks[0]) || len(l.Faults) > 0 {
			t.Errorf("%s: %+v, faults %v", text, l.Blocks, l.Faults)
		}
	}
}

// TestPrivateCommentWithoutAMemoryProtectsWhatItMayMean checks comments between blank
// lines and in headings.
func TestPrivateCommentWithoutAMemoryProtectsWhatItMayMean(t *testing.T) {
	tests := []struct{ name, in, private string }{
		{"above its memory, under a blank line", "- a\n\n<!-- private -->\n- b\n- c\n", "b"},
		{"between blank lines", "- a\n- b\n\n<!-- private -->\n\n- c\n- d\n", "b c"},
		{"at the end", "- a\n- b\n\n<!-- private -->\n", "b"},
		{"in a heading", "- a\n\n## H <!-- private -->\n\n- b\n\n### I\n\n- c\n\n## J\n\n- d\n", "b c"},
		{"in an underlined heading", "- a\n\nH <!-- private -->\n---\n\n- b\n", "b"},
		{"misspelled in a heading", "## H <!-- privat -->\n\n- a\n\n## J\n\n- b\n", "a"},
		{"without an end in a heading", "## H <!-- private -- >\n\n- a\n\n## J\n\n- b\n", "a"},
		{"below a heading", "# H\n<!-- private -->\n\n- a\n- b\n\n# J\n\n- c\n", "a b"},
		{"above a heading", "- a\n\n<!-- private -->\n\n# H\n\n- b\n- c\n\n# J\n\n- d\n", "a b c"},
		{"at the start, under nothing", "<!-- private -->\n\n- a\n\n# H\n\n- b\n", "a b"},
		{"at the start, above a memory", "<!-- private -->\n- a\n- b\n", "a b"},
		{"an empty item", "- a\n- <!-- private -->\n- b\n- c\n", "a b"},
		{"quarantined", "- a\n\n<!-- trust: quarantined -->\n- b\n", "b"},
		{"a memory that is public", "# H <!-- private -->\n\n- a <!-- private: no -->\n- b\n", "b"},
		{"of another tool", "<!-- tool:1 -->\n\n- a\n\n# H <!-- omit in toc -->\n\n- b\n", ""},
	}
	for _, tt := range tests {
		l := chunker.Parse([]byte(tt.in), 0)
		var private []string
		for _, b := range l.Blocks {
			if hidden(b) {
				private = append(private, b.Text)
			}
		}
		if got := strings.Join(private, " "); got != tt.private || tt.private != "" && len(l.Faults) != 1 {
			t.Errorf("%s: %q is hidden, want %q; faults %v", tt.name, got, tt.private, l.Faults)
		}
	}
}

func hidden(b memory.Block) bool {
	return b.Annotations.Private != nil && *b.Annotations.Private || b.Annotations.Trust == memory.TrustQuarantined
}
