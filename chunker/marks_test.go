package chunker_test

import (
	"os"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

// marks are a value of each key that protects.
var marks = [][2]string{{"private", "true"}, {"user", "lena"}, {"trust", "quarantined"}, {"trust", "untrusted"}, {"forgotten", "2026-11-20"}}

// isWithheld reports whether no model gets the file, and if its mark names a user, no user.
func isWithheld(l chunker.Layout, key string) bool {
	d := l.Protect(memory.Declared{})
	return d.Private != nil && *d.Private && (key != "user" || d.User == memory.NobodyUser)
}

// TestMarkOutsideTheGrammarWithholdsItsFile writes each mark in the syntax of other
// programs, and with mistakes.
func TestMarkOutsideTheGrammarWithholdsItsFile(t *testing.T) {
	for _, form := range []string{
		"%% KEY: VALUE %%", "%%KEY=VALUE%%", "%% KEY:: VALUE %%", "[KEY:: VALUE]", "(KEY:: VALUE)", "[KEY::VALUE]", "［KEY：： VALUE］",
		"[//]: # (KEY: VALUE)", `[//]: # "KEY: VALUE"`, "[comment]: <> (KEY: VALUE)", "&lt;!-- KEY: VALUE --&gt;", "&#60;!-- KEY: VALUE --&#62;",
		"<!- KEY: VALUE -->", "< !-- KEY: VALUE -->", "<!— KEY: VALUE —>", "＜!-- KEY: VALUE --＞", "<!- KEY VALUE -->",
		"\n  KEY:: VALUE", "\n  KEY:: VALUE\n  more words", "<!-- tier: hot, KEY: VALUE -->", "<!-- tier: hot KEY: VALUE -->",
	} {
		for _, m := range marks {
			mark := strings.NewReplacer("KEY", m[0], "VALUE", m[1]).Replace(form)
			l := chunker.Parse([]byte("- a fact "+mark+"\n- another\n"), 0)
			if len(l.Blocks) != 2 || !isWithheld(l, m[0]) || len(l.Faults) != 1 {
				t.Errorf("%q: %+v, faults %v", mark, l.Blocks, l.Faults)
			}
		}
	}
}

// TestMarkOnALineOfItsOwnWithholdsItsFile has a mark that belongs to no memory.
func TestMarkOnALineOfItsOwnWithholdsItsFile(t *testing.T) {
	for _, form := range []string{"%% KEY: VALUE %%", "[KEY:: VALUE]", "[//]: # (KEY: VALUE)", "KEY:: VALUE", "title:: Notes\nKEY:: VALUE\ntags:: a, b"} {
		for _, m := range marks {
			mark := strings.NewReplacer("KEY", m[0], "VALUE", m[1]).Replace(form)
			if l := chunker.Parse([]byte(mark+"\n\n# One\n\n- a fact\n"), 0); !isWithheld(l, m[0]) || len(l.Faults) != 1 {
				t.Errorf("%q: %+v, faults %v", mark, l.Withheld, l.Faults)
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
		"<!-- user guide -->", "<!-- private beach nearby -->", "<!-- forgotten password flow -->", "<!-- rust: 2024 -->", "[use:: daily]",
	} {
		if l := chunker.Parse([]byte("- "+strings.ReplaceAll(text, "\n", "\n  ")+"\n"), 0); isWithheld(l, "") || len(l.Faults) > 0 {
			t.Errorf("%q: %+v, faults %v", text, l.Withheld, l.Faults)
		}
	}
}

// TestStoredMarkIsText checks that the text of an agent withholds nothing, and reads back.
func TestStoredMarkIsText(t *testing.T) {
	for _, text := range []string{"see [private:: true] here", "%% user: lena %%", "trust:: untrusted", "a\nprivate:: true\nb", "&lt;!-- private --&gt;",
		"[//]: # (private: true)", `a \[private:: true]`, "[private:: true] [user:: x] #tag"} {
		blocks := chunker.Parse(chunker.Bullet(text), 0)
		if len(blocks.Blocks) != 1 || blocks.Blocks[0].Text != text || blocks.Blocks[0].Annotations.Private != nil || blocks.Blocks[0].Annotations.User != "" || isWithheld(blocks, "") || len(blocks.Faults) > 0 {
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

// TestCommentOutsideTheGrammarWithholdsItsFile reads comments without a correct
// beginning or end, alone on a line and beside a text. Each is one fault.
func TestCommentOutsideTheGrammarWithholdsItsFile(t *testing.T) {
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
			text := strings.NewReplacer("KEY", m[0], "VALUE", m[1], "⏎", "\n").Replace(form)
			l := chunker.Parse([]byte(text), 0)
			if !isWithheld(l, "") && !isHidden(l, 0) { // a value with a mistake protects its memory
				t.Errorf("%q is not withheld: faults %v", text, l.Faults)
			}
			if len(l.Faults) == 0 {
				t.Errorf("%q: no fault", text)
			}
		}
	}
}
