package chunker_test

import (
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

// TestEveryKeyWorksInAComment checks each annotation by its effect.
func TestEveryKeyWorksInAComment(t *testing.T) {
	zone := time.FixedZone("east", 2*60*60)
	day := time.Date(2027, 1, 31, 0, 0, 0, 0, zone)
	tests := []struct {
		comment string
		ok      func(d memory.Declared) bool
	}{
		{"scope: work", func(d memory.Declared) bool { return d.Scope == "work" }},
		{"project: work", func(d memory.Declared) bool { return d.Scope == "work" }},
		{"tier: Cold", func(d memory.Declared) bool { return d.Tier == memory.TierCold }},
		{"tier = cold", func(d memory.Declared) bool { return d.Tier == memory.TierCold }},
		{"tier cold", func(d memory.Declared) bool { return d.Tier == memory.TierCold }},
		{"memory_type: project", func(d memory.Declared) bool { return d.Type == memory.TypeProject }},
		{"memory-type: project", func(d memory.Declared) bool { return d.Type == memory.TypeProject }},
		{"type: project", func(d memory.Declared) bool { return d.Type == memory.TypeProject }},
		{"category: risk", func(d memory.Declared) bool { return d.Category == memory.CategoryRisk }},
		{"importance: 9", func(d memory.Declared) bool { return *d.Importance == 0.9 }},
		{"importance: 0.9", func(d memory.Declared) bool { return *d.Importance == 0.9 }},
		{"importance: 1", func(d memory.Declared) bool { return *d.Importance == 0.1 }},
		{"importance: 1.0", func(d memory.Declared) bool { return *d.Importance == 1 }},
		{"importance_label: must remember", func(d memory.Declared) bool { return d.ImportanceLabel == memory.ImportanceMustRemember }},
		{"pinned", func(d memory.Declared) bool { return *d.Pinned }},
		{"pinned: no", func(d memory.Declared) bool { return !*d.Pinned }},
		{"expires: 2027-01-31", func(d memory.Declared) bool { return d.Expires.Equal(day) }},
		{"created: 2027-01-31", func(d memory.Declared) bool { return d.Created.Equal(day) }},
		{"tags: a, #b", func(d memory.Declared) bool { return strings.Join(d.Tags, " ") == "a b" }},
		{"source_ref: mail", func(d memory.Declared) bool { return d.SourceRef == "mail" }},
		{"trust: untrusted; tier: hot", func(d memory.Declared) bool { return d.Trust == memory.TrustUntrusted && d.Tier == memory.TierHot }},
	}
	for _, tt := range tests {
		l := chunker.ParseIn([]byte("- x <!-- "+tt.comment+" -->\n"), 0, zone)
		if len(l.Blocks) != 1 || l.Blocks[0].Text != "x" || len(l.Faults) > 0 || !tt.ok(l.Blocks[0].Annotations) {
			t.Errorf("%s: %+v, faults %v", tt.comment, l.Blocks, l.Faults)
		}
	}
}

// TestPrivateCommentCountsInEverySpelling checks that no spelling publishes a memory.
func TestPrivateCommentCountsInEverySpelling(t *testing.T) {
	for _, comment := range []string{"private", "PRIVATE", "Private: True", "private = yes", "private: ", "private\ttrue", "@private", "- private -",
		"private, importance: 9", "importance: 9, private", "private.", "private note", "privte: yes", "private: maybe", "tier: hot; private",
		"pinned and private", "private and pinned", "please keep this private!", "strictly private", "pinned, private", "forgotten & private, pinned",
		"ｐｒｉｖａｔｅ", "ｐｒｉｖａｔｅ： ｙｅｓ", "tier: hot； private", "private： true", "＠private", "ｐinned and ｐrivate",
		"\nprivate\n", "private --> <!-- private: false", "private: false --> <!-- private"} {
		l := chunker.Parse([]byte("- x <!--"+comment+"-->\n"), 0)
		if len(l.Blocks) != 1 || !isHidden(l, 0) {
			t.Errorf("%q is public: %+v", comment, l.Blocks)
		}
	}
	l := chunker.Parse([]byte("<div>\nx <!-- private -->\ny\n</div>\n"), 0)
	if !isHidden(l, 0) {
		t.Error("private inside HTML has no effect")
	}
	for _, comment := range []string{"private: no", "PRIVATE: False", "the private key", "from the private repository", "keep this out of the private list"} {
		l := chunker.Parse([]byte("- x <!-- "+comment+" -->\n"), 0)
		if isHidden(l, 0) || len(l.Faults) > 0 {
			t.Errorf("%q is private; faults %v", comment, l.Faults)
		}
	}
}

func TestUnknownTrustWordInACommentIsQuarantined(t *testing.T) {
	const withheldTrust = memory.TrustTier("its file is withheld")
	tests := []struct {
		comment string
		want    memory.TrustTier
		faults  int
	}{
		{"trust: trusted", memory.TrustTrusted, 0}, {"trust: quarantined", memory.TrustQuarantined, 0},
		{"trust: quarantine", memory.TrustQuarantined, 1}, {"trust: quarentined", memory.TrustQuarantined, 1},
		{"trust: low", memory.TrustQuarantined, 1}, {"trust: ", memory.TrustQuarantined, 1}, {"trsut: untrusted", withheldTrust, 1}, {"tier: hot, trust: untrusted", withheldTrust, 1},
		{"trsut: trusted", "", 1}, {"trust: untrusted --> <!-- trust: trusted", memory.TrustUntrusted, 0}, {"trust me", "", 0},
	}
	for _, tt := range tests {
		l := chunker.Parse([]byte("- x <!-- "+tt.comment+" -->\n"), 0)
		got := l.Blocks[0].Annotations.Trust
		if isWithheld(l, "") {
			got = withheldTrust
		}
		if got != tt.want || len(l.Faults) != tt.faults {
			t.Errorf("%s: trust %q, faults %v; want %q", tt.comment, got, l.Faults, tt.want)
		}
	}
}

// TestAnnotationWithoutEffectIsAFault checks that a comment that looks like ours
// works or is reported, with its line.
func TestAnnotationWithoutEffectIsAFault(t *testing.T) {
	tests := []struct {
		in      string
		line    int // 0: no fault
		message string
	}{
		{"- x <!-- tier: gold -->", 1, "unknown tier"},
		{"- w\n- x\n  y <!-- expires: soon -->", 3, "is not a date"},
		{"- x <!-- importance: 11 -->", 1, "is not a number"},
		{"- x <!-- importance -->", 1, "importance has no value"},
		{"- x <!-- category: stuff; tier: hot -->", 1, "category: unknown"},
		{"- x <!-- pinned: perhaps -->", 1, "neither true nor false"},
		{"- x <!-- pined: true -->", 1, "do you mean pinned?"},
		{"- x <!-- expire: 2027-01-01 -->", 1, "do you mean expires?"},
		{"- x <!-- forgotten -->", 1, "use memory forget"},
		{"- x <!-- since: 2027-01-01 -->", 1, "no effect in a comment"},
		{"- x\n\n<!-- private -->", 3, "belongs to no memory"},
		{"# H\n<!-- tier: hot -->\nx", 2, "belongs to no memory"},
		{"# H <!-- private -->\n\nx", 1, "belongs to no memory"},
		{"- x\n- <!-- private -->", 2, "belongs to no memory"},
		{"> x\n> y <!-- tier: gold -->", 2, "unknown tier"},

		{"- x <!-- tier: hot -->", 0, ""}, {"- x <!-- TODO: tidy -->", 0, ""}, {"- x <!-- prettier-ignore -->", 0, ""}, {"- x `<!-- tier: gold -->`", 0, ""},
		{"- x <!-- source -->", 0, ""}, {"- x <!-- project plan -->", 0, ""}, {"- x <!-- score: 5 -->", 0, ""}, {"- x <!-- note: later -->", 0, ""},
		{"# H <!-- omit in toc -->\n\nx", 0, ""}, {"<!-- openclaw-memory-promotion:1234 -->\n\nx", 0, ""}, {"- x <!-- scope creep -->", 0, ""},
	}
	for _, tt := range tests {
		l := chunker.Parse([]byte(tt.in+"\n"), 0)
		if tt.line == 0 && len(l.Faults) > 0 || tt.line > 0 && (len(l.Faults) != 1 || l.Faults[0].Line != tt.line || !strings.Contains(l.Faults[0].Message, tt.message)) {
			t.Errorf("%q: faults %+v, want %q on line %d", tt.in, l.Faults, tt.message, tt.line)
		}
	}
	if n := len(chunker.Parse([]byte(strings.Repeat("- x <!-- tier: gold -->\n", 200)), 0).Faults); n != 51 {
		t.Errorf("%d faults of one file, want 51", n)
	}
}
