package chunker_test

import (
	"os"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

// marks are a mark of each key that protects, with what it looks like.
var marks = []struct {
	key, value string
	withheld   func(d memory.Declared) bool
}{
	{"private", "true", func(d memory.Declared) bool { return d.Private != nil && *d.Private }},
	{"user", "lena", func(d memory.Declared) bool { return d.User == memory.NobodyUser }},
	{"trust", "quarantined", func(d memory.Declared) bool { return d.Trust == memory.TrustQuarantined }},
	{"trust", "untrusted", func(d memory.Declared) bool { return d.Trust == memory.TrustQuarantined }},
	{"forgotten", "2026-11-20", func(d memory.Declared) bool { return d.Private != nil && *d.Private }},
}

// TestMarkOutsideTheGrammarWithholdsItsMemory writes each mark in the syntax of other
// programs, and with mistakes.
func TestMarkOutsideTheGrammarWithholdsItsMemory(t *testing.T) {
	for _, form := range []string{
		"%% KEY: VALUE %%", "%%KEY=VALUE%%", "%% KEY:: VALUE %%", "[KEY:: VALUE]", "(KEY:: VALUE)", "[KEY::VALUE]", "［KEY：： VALUE］",
		"[//]: # (KEY: VALUE)", `[//]: # "KEY: VALUE"`, "[comment]: <> (KEY: VALUE)", "&lt;!-- KEY: VALUE --&gt;", "&#60;!-- KEY: VALUE --&#62;",
		"<!- KEY: VALUE -->", "< !-- KEY: VALUE -->", "<!— KEY: VALUE —>", "＜!-- KEY: VALUE --＞", "<!- KEY VALUE -->",
		"\n  KEY:: VALUE", "\n  KEY:: VALUE\n  more words", "<!-- tier: hot, KEY: VALUE -->", "<!-- tier: hot KEY: VALUE -->",
	} {
		for _, m := range marks {
			mark := strings.NewReplacer("KEY", m.key, "VALUE", m.value).Replace(form)
			l := chunker.Parse([]byte("- a fact "+mark+"\n- another\n"), 0)
			if len(l.Blocks) != 2 || !m.withheld(l.Blocks[0].Annotations) || m.withheld(l.Blocks[1].Annotations) || len(l.Faults) != 1 {
				t.Errorf("%q: %+v, faults %v", mark, l.Blocks, l.Faults)
			}
		}
	}
}

// TestMarkWithoutAMemoryWithholdsWhatIsAroundIt has a mark on a line of its own.
func TestMarkWithoutAMemoryWithholdsWhatIsAroundIt(t *testing.T) {
	for _, form := range []string{"%% KEY: VALUE %%", "[KEY:: VALUE]", "[//]: # (KEY: VALUE)", "KEY:: VALUE", "title:: Notes\nKEY:: VALUE\ntags:: a, b"} {
		for _, m := range marks {
			mark := strings.NewReplacer("KEY", m.key, "VALUE", m.value).Replace(form)
			l := chunker.Parse([]byte(mark+"\n\n# One\n\n- a fact\n\n# Two\n\n- another\n"), 0)
			for _, b := range l.Blocks {
				if !m.withheld(b.Annotations) {
					t.Errorf("%q: %q is not withheld", mark, b.Text)
				}
			}
			if len(l.Faults) != 1 {
				t.Errorf("%q: faults %v", mark, l.Faults)
			}
		}
	}
}

// TestWordsAboutAMarkAreNoMark has texts of public notes, and examples.
func TestWordsAboutAMarkAreNoMark(t *testing.T) {
	for _, text := range []string{
		"set `private: true` in the file", "set private: true in the file", "`[private:: true]`", "use `%% private %%` for that", "```\nprivate:: true\n```",
		"a package (private: true) is never published", "[private:: no]", "%% private: false %%", "[trust:: trusted]", "%% my private thoughts about it all %%",
		"std::private::field", "call user::name()", "[user][1]", "[private](notes.md)", "user: admin", "private: a long story", "100% private, 0% public",
		"[private:: true", `\[private:: true]`, `\%% private: true %%`, `private\:: true`, "if a < b: private", "[tags:: private]", "trust me",
	} {
		for _, b := range chunker.Parse([]byte("- "+strings.ReplaceAll(text, "\n", "\n  ")+"\n"), 0).Blocks {
			if d := b.Annotations; d.Private != nil && *d.Private || d.User != "" || d.Trust != "" {
				t.Errorf("%q declares %+v", text, d)
			}
		}
	}
}

// TestStoredMarkIsText checks that the text of an agent withholds nothing, and reads back.
func TestStoredMarkIsText(t *testing.T) {
	for _, text := range []string{"see [private:: true] here", "%% user: lena %%", "trust:: untrusted", "a\nprivate:: true\nb", "&lt;!-- private --&gt;",
		"[//]: # (private: true)", `a \[private:: true]`, "[private:: true] [user:: x] #tag"} {
		blocks := chunker.Parse(chunker.Bullet(text), 0)
		if len(blocks.Blocks) != 1 || blocks.Blocks[0].Text != text || blocks.Blocks[0].Annotations.Private != nil || blocks.Blocks[0].Annotations.User != "" || len(blocks.Faults) > 0 {
			t.Errorf("%q is stored as %+v, faults %v", text, blocks.Blocks, blocks.Faults)
		}
	}
}

func TestTagsInACommentMayBeAList(t *testing.T) {
	for _, comment := range []string{"tags: a, b", "tags: [a, b]", `tags: ["a", '#b']`, "tags: #a, #b"} {
		b := chunker.Blocks([]byte("- x <!-- "+comment+" -->\n"), 0)[0]
		if got := strings.Join(b.Annotations.Tags, " "); got != "a b" {
			t.Errorf("%s: tags %q", comment, got)
		}
	}
}

// TestCommentOutsideTheGrammarWithholdsWhatItMayMean reads comments without a correct
// beginning or end, alone on a line and beside a text. Each is one fault.
func TestCommentOutsideTheGrammarWithholdsWhatItMayMean(t *testing.T) {
	table, err := os.ReadFile("testdata/marks/comments.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		_, form, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		if line[0] == '#' {
			continue
		}
		for _, m := range marks {
			text := strings.NewReplacer("KEY", m.key, "VALUE", m.value, "⏎", "\n").Replace(form)
			l := chunker.Parse([]byte(text), 0)
			for _, b := range l.Blocks {
				protected := m.withheld(b.Annotations) || m.value == string(b.Annotations.Trust) || m.value == b.Annotations.User
				if strings.Contains(b.Text, "SECRET") && !protected || strings.Contains(b.Text, "OTHER") && protected {
					t.Errorf("%q: %q is withheld: %v, faults %v", text, b.Text, protected, l.Faults)
				}
			}
			if len(l.Faults) == 0 {
				t.Errorf("%q: no fault", text)
			}
		}
	}
}
