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
		if len(l.Blocks) != 2 || !isHidden(l, 0) || len(l.Faults) != 1 {
			t.Errorf("%s: %+v, faults %v", comment, l.Blocks, l.Faults)
		}
	}
	for comment, want := range map[string]memory.TrustTier{"quarantined": memory.TrustQuarantined, "quarantine": memory.TrustQuarantined,
		"untrusted": memory.TrustQuarantined, "trust: [quarantined]": memory.TrustQuarantined, "trust: quarantined -- >\n<!-- x": memory.TrustQuarantined} {
		l := chunker.Parse([]byte("- x <!-- "+comment+" -->\n"), 0)
		if l.Blocks[0].Annotations.Trust != want && !isHidden(l, 0) || len(l.Faults) != 1 {
			t.Errorf("%s: trust %q, faults %v", comment, l.Blocks[0].Annotations.Trust, l.Faults)
		}
	}
	for _, comment := range []string{"<!-- pined -->", "<!-- pinned -- >"} {
		l := chunker.Parse([]byte("- x "+comment+"\n"), 0)
		if d := l.Blocks[0].Annotations; d.Pinned != nil || isHidden(l, 0) || len(l.Faults) != 1 {
			t.Errorf("%s: %+v, faults %v", comment, l.Blocks, l.Faults)
		}
	}
	for _, text := range []string{"<!-- prime -->", "<!-- pin -->", "<!-- quarter -->", "a <- private key", "`<!-- private -- >`", `\<!-- private -- >`,
		"<!-- later -- >", "<!-- trust -->y<!-- -->"} {
		l := chunker.Parse([]byte("- x "+text+"\n"), 0)
		if isHidden(l, 0) || len(l.Faults) > 0 && !strings.Contains(text, "trust") {
			t.Errorf("%s: %+v, faults %v", text, l.Blocks, l.Faults)
		}
	}
}

// TestNearMissOfACommentProtects checks what Markdown takes for text.
func TestNearMissOfACommentProtects(t *testing.T) {
	for _, comment := range []string{"<!- private -->", "<! -- private -->", "< !-- private -->", "<!— private —>", "<!-– private –>", "<! - Private. ->",
		"<!- tier: hot; private: true -->", "<!- privat -->", "＜!-- private --＞", "<！-- private -->", "<!－－ ｐｒｉｖａｔｅ －－>"} {
		l := chunker.Parse([]byte("- x "+comment+"\n- y\n"), 0)
		if len(l.Blocks) != 2 || !isHidden(l, 0) || len(l.Faults) != 1 || l.Faults[0].Line != 1 {
			t.Errorf("%s: %+v, faults %v", comment, l.Blocks, l.Faults)
		}
		for _, in := range []string{"- a\n\n## H " + comment + "\n\n- b\n", "- a\n\n" + comment + "\n\n- b\n"} {
			if l := chunker.Parse([]byte(in), 0); !isWithheld(l, "") || len(l.Faults) != 1 {
				t.Errorf("%q: %+v, faults %v", in, l.Withheld, l.Faults)
			}
		}
	}
	l := chunker.Parse([]byte("- x <!- trust: quarantined -->\n"), 0)
	if !isHidden(l, 0) || len(l.Faults) != 1 {
		t.Errorf("trust: %+v, faults %v", l.Blocks, l.Faults)
	}
	for _, text := range []string{"a <- private key", "the word private is here", "`<!- private -->`", "<! -- the private key of the host -->",
		"a < ! b - private - c > d", "if a <!b - private: x", "<!- later -->", "\\<!- private -->", "<private>"} {
		if l := chunker.Parse([]byte("- x "+text+"\n"), 0); isHidden(l, 0) || len(l.Faults) > 0 {
			t.Errorf("%s: %+v, faults %v", text, l.Blocks, l.Faults)
		}
	}
}

// TestPrivateCommentWithoutAMemoryWithholdsItsFile checks comments between blank lines and in
// headings. One on the next line of a memory belongs to it.
func TestPrivateCommentWithoutAMemoryWithholdsItsFile(t *testing.T) {
	tests := []struct {
		name, in string
		withheld bool
	}{
		{"above its memory, under a blank line", "- a\n\n<!-- private -->\n- b\n- c\n", true},
		{"between blank lines", "- a\n- b\n\n<!-- private -->\n\n- c\n- d\n", true},
		{"at the end", "- a\n- b\n\n<!-- private -->\n", true},
		{"in a heading", "- a\n\n## H <!-- private -->\n\n- b\n", true},
		{"in an underlined heading", "- a\n\nH <!-- private -->\n---\n\n- b\n", true},
		{"below a heading", "# H\n<!-- private -->\n\n- a\n", true},
		{"above a heading", "- a\n\n<!-- private -->\n\n# H\n\n- b\n", true},
		{"at the start", "<!-- private -->\n- a\n", true},
		{"an empty item", "- a\n- <!-- private -->\n- b\n", true},
		{"quarantined", "- a\n\n<!-- trust: quarantined -->\n- b\n", true},
		{"a user's", "- a\n\n<!-- user: lena -->\n- b\n", true},
		{"on the line below", "- a\n- b\n<!-- private -->\n\n# H\n\n- c\n", false},
		{"denied", "# H <!-- private: no -->\n\n- a\n", false},
		{"of another tool", "<!-- tool:1 -->\n\n- a\n\n# H <!-- omit in toc -->\n\n- b\n", false},
	}
	for _, tt := range tests {
		if l := chunker.Parse([]byte(tt.in), 0); isWithheld(l, "") != tt.withheld || tt.withheld && len(l.Faults) != 1 {
			t.Errorf("%s: %+v, faults %v", tt.name, l.Withheld, l.Faults)
		}
	}
}

// isHidden reports whether no model gets a block.
func isHidden(l chunker.Layout, i int) bool {
	d := l.Blocks[i].Annotations.Over(l.Protect(memory.Declared{}))
	return d.Private != nil && *d.Private || d.Trust == memory.TrustQuarantined || d.User == memory.NobodyUser
}
