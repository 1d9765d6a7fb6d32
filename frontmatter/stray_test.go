package frontmatter_test

import (
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
)

// prefixed returns protectingHead with each of its lines behind a prefix.
func prefixed(prefix string) string {
	return prefix + strings.ReplaceAll(strings.TrimSuffix(protectingHead, "\n"), "\n", "\n"+prefix) + "\n"
}

// TestFrontMatterInTheTextStillProtects puts front matter where people, editors and other
// programs move it.
func TestFrontMatterInTheTextStillProtects(t *testing.T) {
	tests := []struct {
		name, src string
		line      int
	}{
		{"below a bullet", "- A note\n" + protectingHead, 2},
		{"below a paragraph", "A note\n" + protectingHead, 2},
		{"below a heading", "# House\n\n" + protectingHead, 3},
		{"behind a text without a line end", "- A note" + protectingHead, 2},
		{"below other front matter", "---\ntitle: Notes\n---\n" + protectingHead, 4},
		{"below TOML of another program", "+++\ntitle = \"Notes\"\n+++\n\n" + protectingHead, 5},
		{"behind a byte order mark in the text", "- A note\n\ufeff" + protectingHead, 2},
		{"between full-width hyphens", strings.ReplaceAll("A note\n\n"+protectingHead, "---", "－－－"), 3},
		{"with Windows line ends", strings.ReplaceAll("- A note\n"+protectingHead, "\n", "\r\n"), 2},
		{"indented", "A note\n\n" + prefixed("  "), 3},
		{"indented as code", "A note\n\n" + prefixed("    "), 3},
		{"in a quote", "- A note\n\n" + prefixed("> "), 3},
		{"in a callout", "> [!note]\n" + prefixed(">"), 2},
		{"in a code block at the head", "```yaml\n" + protectingHead + "```\n", 1},
		{"without its opening line", "- A note\n\n" + strings.TrimPrefix(protectingHead, "---\n"), 3},
		{"with a damaged opening line", "Note: " + protectingHead, 1},
		{"without its closing line", "- A note\n" + strings.TrimSuffix(protectingHead, "---\n") + "\n", 2},
		{"with blank lines", "- A note\n\n" + strings.ReplaceAll(protectingHead, "\n", "\n\n"), 3},
		{"below a code block without an end", "```\nSome code\n" + protectingHead, 3},
		{"at the end", "- A note\n\n" + protectingHead, 3},
		{"between escaped rules", "- A note\n\n" + strings.ReplaceAll(protectingHead, "---", `\---`), 3},
		{"between other rules", "- A note\n\n" + strings.ReplaceAll(protectingHead, "---", "***"), 3},
		{"with curly quotation marks", "- A note\n" + strings.NewReplacer(`: "`, ": “", `",`, "”,").Replace(protectingHead), 2},
		{"in block style", "- A note\n---\nprivate: true\nmemories:\n  - id: 3f8a91c2b7d0\n    quote: The vault code\n    forgotten: 2026-11-20\n---\n", 2},
		{"in TOML", "- A note\n+++\nprivate = true\n[[memories]]\nid = \"3f8a91c2b7d0\"\nquote = \"The vault code\"\nforgotten = 2026-11-20\n+++\n", 2},
		{"in JSON", "- A note\n\n{\n  \"private\": true,\n  \"memories\": [{\"id\": \"3f8a91c2b7d0\", \"quote\": \"The vault code\", \"forgotten\": true}]\n}\n", 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := []byte(tt.src + "\n- Text\n")
			m := frontmatter.Parse(src, nil)
			if forgetting := m.ForgettingEntries(); !isPrivate(m.FileDefaults) || len(forgetting) != 1 || forgetting[0].Quote != "The vault code" {
				t.Errorf("not protected: file %+v, entries %+v", m.FileDefaults, m.Entries)
			}
			if len(m.Faults) == 0 || m.Faults[0].Line != tt.line {
				t.Errorf("faults %q, want one on line %d", faults(m), tt.line)
			}
			if got := string(frontmatter.Redact(src, m, nil)); strings.Contains(got, "vault") || !strings.Contains(got, "- Text") {
				t.Errorf("the redacted file is %q", got)
			}
			change := frontmatter.Change{ID: memory.NewID(memory.Fingerprint{1}, 0), Quote: "Text", Declared: memory.Declared{Tier: memory.TierHot}}
			if _, err := frontmatter.Set(src, nil, []frontmatter.Change{change}); err == nil {
				t.Error("a decision is written")
			}
		})
	}
}

// TestEntryAloneInATextDecides checks the program's own lines without anything around them.
func TestEntryAloneInATextDecides(t *testing.T) {
	const entry = `{id: "3f8a91c2b7d0", quote: "The vault code of the house", forgotten: 2026-11-20}`
	for _, in := range []string{"- " + entry, "  - " + entry, "* " + entry, "> - " + entry, entry + ",",
		strings.Replace(entry, "code of", "code\n    of", 1), strings.Replace(strings.Replace(entry, "{", "{ ", 1), "}", " }", 1)} {
		m := frontmatter.Parse([]byte("# House\n\n- A note\n\n"+in+"\n"), nil)
		if forgetting := m.ForgettingEntries(); len(forgetting) != 1 || forgetting[0].Quote != "The vault code of the house" || forgetting[0].Line != 5 {
			t.Errorf("%q: %+v, faults %q", in, m.Entries, faults(m))
		}
	}
}

// TestBothFrontMattersOfJoinedFilesApply joins two files with decisions, as cat does.
func TestBothFrontMattersOfJoinedFilesApply(t *testing.T) {
	one := "---\ntier: warm\ntrust: untrusted\nmemories:\n  - {id: \"9c01aa7e44f1\", quote: \"The staging password\", forgotten: 2026-11-20}\n---\n- a\n"
	m := frontmatter.Parse([]byte(one+protectingHead+"- b\n"+"---\ntier: hot\nuser: lena\n---\n- c\n"), nil)
	if d := m.FileDefaults; len(m.ForgettingEntries()) != 2 || !isPrivate(d) || d.Tier != memory.TierWarm || d.Trust != memory.TrustUntrusted || d.User != "lena" {
		t.Errorf("file %+v, entries %+v", d, m.Entries)
	}
	if m.Broken || m.EntriesUnread {
		t.Error("a line that a person removes would not count")
	}
	m = frontmatter.Parse([]byte("---\nuser: ada\n---\n- a\n---\nuser: lena\n---\n- b\n"), nil)
	if u := frontmatter.Parse([]byte("- a---\nuser: lena\n---\n- b\n"), nil).FileDefaults.User; u != "lena" {
		t.Errorf("the user of a file behind one without a line end is %q", u)
	}
	if m.FileDefaults.User != memory.NobodyUser {
		t.Errorf("the user of two users' files is %q", m.FileDefaults.User)
	}
}

// TestOrdinaryTextIsNoFrontMatter checks that no other text decides.
func TestOrdinaryTextIsNoFrontMatter(t *testing.T) {
	for _, in := range []string{
		"# Setup\n\n```yaml\n" + protectingHead + "```\n\n- Text\n",
		"```json\n{\n  \"name\": \"app\",\n  \"private\": true\n}\n```\n",
		"# App\n\n{\n  \"name\": \"app\",\n  \"version\": \"1\",\n  \"private\": true\n}\n",
		"# Contact\n\n---\nuser: lena\nphone: 12345\n---\n",
		"# Talk\n\n---\nuser: Hello there\nassistant: Hi\n---\n",
		"# Books\n\n- {id: 1234, quote: \"To be\"}\n",
		"# Notes\n\n---\nPrivate: my thoughts\n---\n",
		"# Notes\n\n---\ntrust: nobody\n---\n- The private key\n",
		"# Notes\n\n- Use `{id: \"3f8a91c2b7d0\", quote: \"x\", forgotten: true}` to forget\n",
		"- Notes:\n  ---\n  private: true\n  ---\n",
		"- ---\n  private: true\n  ---\n  and words\n",
		"# Notes\n\n---\n- private: true is a key\n---\n",
	} {
		if m := frontmatter.Parse([]byte(in), nil); isPrivate(m.FileDefaults) || m.FileDefaults.User != "" || len(m.Entries) > 0 || len(m.Faults) > 0 {
			t.Errorf("%q: %+v", in, m)
		}
	}
}

func TestHugeTextsAreSearchedQuickly(t *testing.T) {
	defer time.AfterFunc(5*time.Minute, func() { panic("still not done") }).Stop()
	entry := "- {id: \"3f8a91c2b7d0\", quote: \"x\", forgotten: true}\n"
	for _, in := range []string{"  ---\n", "---\nprivate: x\n", "```\n---\n", "````x\n", entry, "private: x\n---\n", "  {\n", "> ---\n", "---\n" + entry} {
		frontmatter.Parse([]byte("# H\nprivate: quote id\n"+strings.Repeat(in, 200_000/len(in))), nil)
	}
}
