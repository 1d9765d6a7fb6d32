package frontmatter_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/frontmatter/fields"
)

func isPrivate(d memory.Declared) bool { return d.Private != nil && *d.Private }

// TestPrivateCountsInEverySpelling checks that no spelling of private leaves a
// file public, and that the text below stays readable.
func TestPrivateCountsInEverySpelling(t *testing.T) {
	tests := []struct {
		name, in string
		fault    string // part of one fault; empty: none
	}{
		{"True", "---\nprivate: True\n---\n", ""},
		{"yes", "---\nprivate: yes\n---\n", ""},
		{"quoted", "---\n\"private\": 'ON'\n---\n", ""},
		{"key in upper case", "---\nPrivate: true\n---\n", ""},
		{"key in upper case after a blank line", "---\n\nPRIVATE: true\n---\n", ""},
		{"tab before the value", "---\nprivate:\ttrue\n---\n", ""},
		{"flow mapping", "---\n{tier: hot, private: true}\n---\n", ""},
		{"explicit key", "---\n? private\n: true\n---\n", ""},
		{"alias", "---\na: &x yes\nprivate: *x\n---\n", ""},
		{"merge key", "---\nbase: &b {private: true}\n<<: *b\n---\n", "counts as private"},
		{"merge key with a list", "---\na: &a {scope: x}\nb: &b {private: true}\n<<: [*a, *b]\n---\n", "counts as private"},
		{"merge key in a merge key", "---\na: &a {private: true}\nb: &b {<<: *a}\n<<: *b\n---\n", "counts as private"},
		{"below a directive", "%YAML 1.2\n---\nprivate: true\n---\n", "beginning of the file"},
		{"lines that end with a carriage return", "---\rprivate: true\r---\r", "beginning of the file"},
		{"some lines that end with a carriage return", "---\rprivate: true\n---\r", "beginning of the file"},
		{"a misspelled key and carriage returns", "---\rprivte: true\r---\r", "beginning of the file"},
		{"carriage returns below a blank line", "\r---\rprivate: true\r---\r", "beginning of the file"},
		{"full-width letters", "---\nｐｒｉｖａｔｅ: true\n---\n", "counts as private"},
		{"quotation marks of a word processor", "---\n“private”: true\n---\n", "counts as private"},
		{"full-width quotation marks", "---\n＂private＂: true\n---\n", "counts as private"},
		{"a full-width colon", "---\nprivate： true\n---\n", "counts as private"},
		{"all full-width, behind another key", "---\nscope: x\nｐｒｉｖａｔｅ：ｔｒｕｅ\n---\n", "counts as private"},
		{"one-line JSON", "{\"private\": true}\n\n", "counts as private"},
		{"one-line JSON without a blank line", "{\"private\": true}\n", "counts as private"},
		{"JSON whose braces share lines", "{ \"tier\": \"hot\",\n  \"private\": true }\n\n", "counts as private"},
		{"TOML", "+++\nprivate = true\n+++\n", ""},
		{"TOML text", "+++\nprivate = \"yes\"\n+++\n", ""},

		{"no value", "---\nprivate:\n---\n", "treated as private"},
		{"another word", "---\nprivate: ja\n---\n", "treated as private"},
		{"a list", "---\nprivate: [true]\n---\n", "treated as private"},
		{"misspelled", "---\nprivte: true\n---\n", "counts as private"},
		{"twice", "---\nprivate: true\nprivate: false\n---\n", "occurs twice"},

		{"tab before the key", "---\n\tprivate: true\n---\n", "counts as private"},
		{"tab before another key", "---\nscope: x\n\tprivate: true\n---\n", "counts as private"},
		{"no blank after the colon", "---\nprivate:true\n---\n", "counts as private"},
		{"no blank after the colon, with another key", "---\nscope: x\nprivate:true\n---\n", "counts as private"},
		{"equals sign in YAML", "---\nprivate = true\n---\n", "counts as private"},
		{"only the word", "---\nprivate\n---\n", "counts as private"},
		{"a list of words", "---\n- private\n---\n", "counts as private"},
		{"an unclosed bracket", "---\nprivate: true\ntags: [a\n---\n", "counts as private"},
		{"unknown anchor", "---\nprivate: *nothing\n---\n", "counts as private"},
		{"a second document", "---\nscope: x\n--- # two\nprivate: true\n---\n", "counts as private"},
		{"unclosed YAML with a tab", "---\n\tprivate: true\n\n", "counts as private"},
		{"unclosed TOML", "+++\nprivate = true\n\n", "no closing line"},
		{"TOML with a capital", "+++\nprivate = True\n+++\n", "counts as private"},
		{"JSON without quotation marks", "{private: true}\n\n", "counts as private"},
		{"JSON with a trailing comma", "{\n\"private\": true,\n}\n\n", "counts as private"},
		{"unclosed JSON", "{\n\"private\": true\n\n", "counts as private"},
		{"JSON and a comment", "{\"private\": true} // mine\n\n", "counts as private"},
		{"JSON below a blank line", "\n{\"private\": true}\n\n", "counts as private"},
		{"JSON between semicolons", ";;;\n{\n\"private\": true\n}\n;;;\n", "counts as private"},
		{"JSON between semicolons, with a blank line", ";;;\n{\n\n\"private\": true\n}\n;;;\n", "counts as private"},
		{"JSON between semicolons on one line", ";;;\n{\"private\": true}\n;;;\n", "counts as private"},
		{"unclosed JSON between semicolons", ";;;\r\n{\r\n\"private\": true,\r\n", "counts as private"},
		{"a head with the name of a format", "---json\n{\n\"private\": true\n}\n---\n", "counts as private"},
		{"a head of another program", "---js\n{ private: true }\n---\n", "counts as private"},
		{"larger than the limit", "---\nx: " + strings.Repeat("x", 3<<20) + "\nprivate: true\n---\n", "counts as private"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if testing.Short() && len(tt.in) > 1<<20 {
				t.Skip("large: takes long with the race detector")
			}
			m := frontmatter.Parse([]byte(tt.in+"Body\n"), nil)
			if !isPrivate(m.FileDefaults) {
				t.Errorf("not private: format %q, faults %q", m.Format, faults(m))
			}
			if all := strings.Join(faults(m), "\n"); !strings.Contains(all, tt.fault) || tt.fault == "" && all != "" {
				t.Errorf("faults %q, want one with %q", all, tt.fault)
			}
			if rest := body(tt.in+"Body\n", m); m.Format != fields.None && rest != "Body\n" && rest != "\nBody\n" {
				t.Errorf("the body is %.80q", rest)
			}
		})
	}
}

func TestPrivateInProseChangesNothing(t *testing.T) {
	for _, in := range []string{
		"---\n\nWe spoke about our private lives: a long talk.\n\n---\nBody\n",
		"---\nA private matter\n---\n", "# Notes\nprivate: true\n", "{brace} private\n\n", "---\nprivate: no\n---\n",
		"---\nx: {private: false}\n---\n", "---\nx: {private: notes of mine}\n---\n", "- private\n",
		"---\nbase: &b {private: true}\n<<: *b\nprivate: false\n---\n",
	} {
		if m := frontmatter.Parse([]byte(in), nil); isPrivate(m.FileDefaults) || len(m.Faults) > 0 {
			t.Errorf("%q is private, or has faults %q", in, faults(m))
		}
	}
}

func TestPrivateEntryCountsInEverySpelling(t *testing.T) {
	for _, in := range []string{`Private: true`, `private: `} {
		m := frontmatter.Parse([]byte("---\nmemories:\n  - {quote: \"x\", "+in+"}\n---\n"), nil)
		if len(m.Entries) != 1 || !isPrivate(m.Entries[0].Declared) || m.Entries[0].Declared.Pinned != nil {
			t.Errorf("%s: %+v, faults %q", in, m.Entries, faults(m))
		}
	}
}

// TestMergeKeyInAnEntryWithholds has an entry whose values are elsewhere.
func TestMergeKeyInAnEntryWithholds(t *testing.T) {
	m := frontmatter.ParseDecisions([]byte("a: &a {private: true}\nb: &b {<<: *a}\nmemories:\n  - {quote: \"x\", <<: *b}\n"), nil)
	if all := m.ProtectingEntries(); len(all) == 0 || all[0].Quote != "x" || len(m.Faults) == 0 {
		t.Errorf("%+v", m)
	}
}

// TestUnknownTrustWordIsQuarantined checks that a typing error never trusts.
func TestUnknownTrustWordIsQuarantined(t *testing.T) {
	tests := []struct {
		in   string
		want memory.TrustTier
		ok   bool
	}{
		{"trusted", "trusted", true}, {"UNTRUSTED", "untrusted", true}, {"Quarantined", "quarantined", true},
		{"quarantine", "quarantined", false}, {"quarentined", "quarantined", false}, {"in quarantine", "quarantined", false},
		{"low", "quarantined", false}, {"truested", "quarantined", false}, {"[trusted]", "quarantined", false}, {"0", "quarantined", false}, {"", "quarantined", false},
	}
	for _, tt := range tests {
		m := frontmatter.Parse([]byte("---\ntrust: "+tt.in+"\nmemories:\n  - {quote: \"x\", trust: "+tt.in+"}\n---\n"), nil)
		if m.FileDefaults.Trust != tt.want || len(m.Entries) != 1 || m.Entries[0].Declared.Trust != tt.want {
			t.Errorf("%s means %q, %+v; want %q", tt.in, m.FileDefaults.Trust, m.Entries, tt.want)
		}
		if want := 2; tt.ok && len(m.Faults) > 0 || !tt.ok && len(m.Faults) != want {
			t.Errorf("%s: faults %q", tt.in, faults(m))
		}
	}
}

func TestMisspelledKeyIsAFault(t *testing.T) {
	tests := []struct{ in, meant string }{
		{"teir: hot", "tier"}, {"catgory: fact", "category"}, {"importence: 1", "importance"}, {"memory-type: factual", "memory_type"},
		{"expire: 2027-01-01", "expires"}, {"pined: true", "pinned"}, {"memoires:", "memories"},
	}
	for _, tt := range tests {
		m := frontmatter.Parse([]byte("---\nscope: x\n"+tt.in+"\n---\n"), nil)
		if len(m.Faults) != 1 || m.Faults[0].Line != 3 || !strings.Contains(m.Faults[0].Message, "do you mean "+tt.meant+"?") {
			t.Errorf("%s: faults %q", tt.in, faults(m))
		}
	}
	m := frontmatter.Parse([]byte("---\nmemories:\n  - {id: \"3f8a91c2b7d0\", quote: \"x\", pined: true}\n  - {quote: \"y\", forgoten: true}\n---\n"), nil)
	if len(m.Faults) != 2 || !strings.Contains(m.Faults[0].Message, "do you mean pinned?") {
		t.Errorf("faults %q", faults(m))
	}
	if len(m.Entries) != 2 || m.Entries[0].Declared.Pinned != nil || m.Entries[1].Declared.Forgotten == nil {
		t.Errorf("entries %+v: a misspelled key applies only where it protects", m.Entries)
	}
	for _, in := range []string{"title: x", "tag: a", "aliases: [x]", "score: 5", "sources: [x]", "date: 2026-01-01", "layout: post", "author: y", "cssclasses: z"} {
		if m := frontmatter.Parse([]byte("---\n"+in+"\n---\n"), nil); len(m.Faults) > 0 {
			t.Errorf("%s: faults %q", in, faults(m))
		}
	}
}

func TestDecisionOnAWholeFileIsAFault(t *testing.T) {
	for in, want := range map[string]int{"pinned: true": 1, "forgotten: 2026-11-20": 1, "pinned: false": 0, "pinned: 3rd": 0} {
		if m := frontmatter.Parse([]byte("---\nscope: x\n"+in+"\n---\n"), nil); len(m.Faults) != want {
			t.Errorf("%s: faults %q", in, faults(m))
		}
	}
}

func TestImportanceHasTwoScales(t *testing.T) {
	for in, want := range map[string]float64{"0": 0, "0.25": 0.25, "1": 1, "1.0": 1, "2": 0.2, "9": 0.9, "7.5": 0.75, "10": 1} {
		m := frontmatter.Parse([]byte("---\nimportance: "+in+"\n---\n"), nil)
		if m.FileDefaults.Importance == nil || *m.FileDefaults.Importance != want || len(m.Faults) > 0 {
			t.Errorf("importance %s is %v, want %v; faults %q", in, m.FileDefaults.Importance, want, faults(m))
		}
	}
}

// TestEntryWithACapitalKeyIsEdited checks that a decision replaces the key as it was
// written.
func TestEntryWithACapitalKeyIsEdited(t *testing.T) {
	id := memory.NewID(memory.Fingerprint{1}, 0)
	for _, key := range []string{"Forgotten", "FORGOTTEN"} {
		src := "---\nscope: x\nmemories:\n  - {id: \"" + id.InFile() + "\", quote: \"x\", " + key + ": true}\n---\n\nBody\n"
		out, err := frontmatter.Set([]byte(src), nil, []frontmatter.Change{{ID: id, Quote: "x"}})
		if want := "---\nscope: x\n---\n\nBody\n"; err != nil || string(out) != want {
			t.Errorf("%s: %q, %v", key, out, err)
		}
	}
}

// TestPrivateBetweenWrongDelimitersCounts checks lines that a person or an editor made
// of ---.
func TestPrivateBetweenWrongDelimitersCounts(t *testing.T) {
	for _, d := range [][2]string{{"----", "----"}, {"--", "--"}, {"***", "***"}, {"—-", "---"}, {"—", "—"}, {"–--", "---"}, {"___", "___"}, {"-----", "---"},
		{"--- # my notes", "---"}, {"--- # my notes", ""}, {"+++ # my notes", "+++"}} {
		for _, key := range []string{"private: true", "tier: hot\nprivate: yes", "privat: true"} {
			m := frontmatter.Parse([]byte(d[0]+"\n"+key+"\n"+d[1]+"\n# Work\n- A text\n"), nil)
			if !isPrivate(m.FileDefaults) || len(m.Faults) == 0 || m.Faults[0].Line != 1+strings.Count(key, "\n")+1 || m.ReadOnlyReason == "" {
				t.Errorf("%q %q: %+v", d, key, m)
			}
		}
		if m := frontmatter.Parse([]byte(d[0]+"\ntrust: quarantined\n"+d[1]+"\n- A text\n"), nil); !isPrivate(m.FileDefaults) {
			t.Errorf("%q: trust %q", d, m.FileDefaults.Trust)
		}
	}
	for _, in := range []string{
		"***\n- The word private is here\n***\n", "----\nSome words about private: keys\n----\n", "***\nprivate words\n***\n",
		"--- # my notes\n- private: a word\n", "--- # my notes\n\ntext\n", "- a\r- the private key\r---\rb\r",
		"----\ntier: hot\n----\n- a\n", "----\nprivate: true\n",
	} {
		if m := frontmatter.Parse([]byte(in), nil); isPrivate(m.FileDefaults) || m.Format != fields.None || len(m.Faults) > 0 {
			t.Errorf("%q: %+v", in, m)
		}
	}
}
