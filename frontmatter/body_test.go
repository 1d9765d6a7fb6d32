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

// TestFrontMatterInTheTextWithholdsItsFile puts front matter where people, editors and other
// programs move it.
func TestFrontMatterInTheTextWithholdsItsFile(t *testing.T) {
	tests := []struct {
		name, src string
	}{
		{"below a bullet", "- A note\n" + protectingHead},
		{"below a paragraph", "A note\n" + protectingHead},
		{"below a heading", "# House\n\n" + protectingHead},
		{"behind a text without a line end", "- A note" + protectingHead},
		{"below other front matter", "---\ntitle: Notes\n---\n" + protectingHead},
		{"below TOML of another program", "+++\ntitle = \"Notes\"\n+++\n\n" + protectingHead},
		{"behind a byte order mark in the text", "- A note\n\ufeff" + protectingHead},
		{"between full-width hyphens", strings.ReplaceAll("A note\n\n"+protectingHead, "---", "－－－")},
		{"with Windows line ends", strings.ReplaceAll("- A note\n"+protectingHead, "\n", "\r\n")},
		{"indented", "A note\n\n" + prefixed("  ")},
		{"indented as code", "A note\n\n" + prefixed("    ")},
		{"in a quote", "- A note\n\n" + prefixed("> ")},
		{"in a callout", "> [!note]\n" + prefixed(">")},
		{"in a code block at the head", "```yaml\n" + protectingHead + "```\n"},
		{"without its opening line", "- A note\n\n" + strings.TrimPrefix(protectingHead, "---\n")},
		{"with a damaged opening line", "Note: " + protectingHead},
		{"without its closing line", "- A note\n" + strings.TrimSuffix(protectingHead, "---\n") + "\n"},
		{"with blank lines", "- A note\n\n" + strings.ReplaceAll(protectingHead, "\n", "\n\n")},
		{"below a code block without an end", "```\nSome code\n" + protectingHead},
		{"at the end", "- A note\n\n" + protectingHead},
		{"between escaped rules", "- A note\n\n" + strings.ReplaceAll(protectingHead, "---", `\---`)},
		{"between other rules", "- A note\n\n" + strings.ReplaceAll(protectingHead, "---", "***")},
		{"with curly quotation marks", "- A note\n" + strings.NewReplacer(`: "`, ": “", `",`, "”,").Replace(protectingHead)},
		{"in block style", "- A note\n---\nprivate: true\nmemories:\n  - id: 3f8a91c2b7d0\n    quote: The vault code\n    forgotten: 2026-11-20\n---\n"},
		{"in TOML", "- A note\n+++\nprivate = true\n[[memories]]\nid = \"3f8a91c2b7d0\"\nquote = \"The vault code\"\nforgotten = 2026-11-20\n+++\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := []byte(tt.src + "\n- Text\n")
			m := frontmatter.Parse(src, nil)
			if !isPrivate(m.FileDefaults) || len(m.Faults) != 1 {
				t.Fatalf("not withheld: file %+v, faults %q", m.FileDefaults, faults(m))
			}
			if line := strings.Split(tt.src, "\n")[m.Faults[0].Line-1]; !strings.Contains(line, "private") && !strings.Contains(line, "forgotten") {
				t.Errorf("the fault names %q", line)
			}
			if got := string(frontmatter.Redact(src, m, nil)); got != "" {
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
		if forgetting := m.ProtectingEntries(); len(forgetting) != 1 || forgetting[0].Quote != "The vault code of the house" || forgetting[0].Line != 5 {
			t.Errorf("%q: %+v, faults %q", in, m.Entries, faults(m))
		}
	}
}

// TestBothFrontMattersOfJoinedFilesApply joins two files with decisions, as cat does.
func TestBothFrontMattersOfJoinedFilesApply(t *testing.T) {
	one := "---\ntier: warm\ntrust: untrusted\nmemories:\n  - {id: \"9c01aa7e44f1\", quote: \"The staging password\", forgotten: 2026-11-20}\n---\n- a\n"
	m := frontmatter.Parse([]byte(one+protectingHead+"- b\n"+"---\ntier: hot\nuser: lena\n---\n- c\n"), nil)
	if d := m.FileDefaults; len(m.ProtectingEntries()) != 2 || !isPrivate(d) || d.Tier != memory.TierWarm || d.Trust != memory.TrustUntrusted {
		t.Errorf("file %+v, entries %+v", d, m.Entries)
	}
	for _, src := range []string{"---\nuser: ada\n---\n- a\n---\nuser: lena\n---\n- b\n", "- a---\nuser: lena\n---\n- b\n"} {
		if m := frontmatter.Parse([]byte(src), nil); !isPrivate(m.FileDefaults) {
			t.Errorf("%q shows a user's texts: %+v", src, m.FileDefaults)
		}
	}
}

// TestOrdinaryTextIsNoFrontMatter checks that no other text decides.
func TestOrdinaryTextIsNoFrontMatter(t *testing.T) {
	for _, in := range []string{
		"# Setup\n\n```yaml\n---\nprivate: true\n---\n```\n\n- Text\n",
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

// TestStrayEntriesAreNamed checks that the lines with the text of a decision are found in front
// matter that was moved. The lines beside them are not.
func TestStrayEntriesAreNamed(t *testing.T) {
	for _, src := range []string{
		"A note\n" + protectingHead + "- Text\n",
		"A note\n---\nprivate: true\nmemories:\n  - id: 3f8a91c2b7d0\n    quote: The vault code\n    forgotten: 2026-11-20\n---\n- Text\n",
		"A note\n+++\nprivate = true\n[[memories]]\nid = \"3f8a91c2b7d0\"\nquote = \"The vault code\"\nforgotten = 2026-11-20\n+++\n- Text\n",
		"A note\n- {id: \"3f8a91c2b7d0\", quote: \"The\n  vault code\", forgotten: 2026-11-20}\n- Text\n",
	} {
		lines := strings.Split(src, "\n")
		for _, line := range frontmatter.Parse([]byte(src), nil).StrayEntries {
			lines[line-1] = ""
		}
		if rest := strings.Join(lines, "\n"); strings.Contains(rest, "vault code") || !strings.Contains(rest, "A note") || !strings.Contains(rest, "- Text") {
			t.Errorf("%q leaves %q", src, rest)
		}
	}
}
