package frontmatter_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory/frontmatter"
)

func TestRedactRemovesHiddenBlocksAndEntries(t *testing.T) {
	tests := []struct {
		name, in string
		hidden   []string
		want     string
	}{
		{"nothing to hide", "---\ntitle: x\n---\nText\n", nil, "---\ntitle: x\n---\nText\n"},
		{"a paragraph", "One\n\nTwo\n\nThree\n", []string{"Two"}, "One\n\n\nThree\n"},
		{"an item", "- one\n- two\n  more\n- three\n", []string{"- two\n  more"}, "- one\n- three\n"},
		{"an item without its marker", "- one\n- [ ] two\r\n- three\n", []string{"two"}, "- one\n- three\n"},
		{"the last line", "One\n\nTwo", []string{"Two"}, "One\n\n"},
		{"spans that touch", "One\nTwo\nThree\n", []string{"Two\n", "One\n", "One"}, "Three\n"},
		{"a part of a line", "One two three\n", []string{"two"}, "One  three\n"},
		{"the list of entries", "---\ntitle: x\nmemories: # d\n  # c\n  - {quote: \"Two\", forgotten: true}\n# y\ntier: hot\n---\nOne\n", nil,
			"---\ntitle: x\n# y\ntier: hot\n---\nOne\n"},
		{"front matter with nothing else", "\ufeff---\nmemories:\n- quote: Two\n---\nOne\n", nil, "\ufeffOne\n"},
		{"windows", "---\r\ntitle: x\r\nmemories:\r\n  - {quote: \"Two\"}\r\n---\r\nOne\r\n", nil, "---\r\ntitle: x\r\n---\r\nOne\r\n"},
		{"two lists", "---\nmemories:\n- quote: Two\na: 1\nmemories:\n- quote: Two\n---\nOne\n", nil, "---\na: 1\n---\nOne\n"},
		{"closed by dots", "---\na: 1\nmemories:\n- quote: Two\n...\nOne\n", nil, "---\na: 1\n...\nOne\n"},
		{"toml with entries", "+++\na = 1\n[[memories]]\nquote = \"Two\"\n+++\nOne\n", nil, "One\n"},
		{"toml without entries", "+++\na = 1\n+++\nOne\n", nil, "+++\na = 1\n+++\nOne\n"},
		{"braces", "---\n{a: 1, memories: [{quote: Two}]}\n---\nOne\n", nil, "One\n"},
		{"broken", "---\na: [\nmemories:\n- quote: Two\n---\nOne\n", nil, "One\n"},
		{"no closing line", "---\nmemories:\n- quote: Two\n\nOne\n", nil, "\nOne\n"},
		{"an alias of the list", "---\nmemories: &m\n- quote: Two\na: *m\n---\nOne\n", nil, "One\n"},
		{"conflict", "---\nmemories:\n<<<<<<< a\n- quote: Two\n=======\n>>>>>>> b\n---\nOne\n", nil, "One\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := []byte(tt.in)
			m := frontmatter.Parse(src, nil)
			var spans []frontmatter.Span
			for _, h := range tt.hidden {
				at := strings.Index(tt.in, h)
				spans = append(spans, frontmatter.Span{Start: at, End: at + len(h)})
			}
			if got := string(frontmatter.Redact(src, m, spans)); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if string(src) != tt.in {
				t.Error("the source was changed")
			}
		})
	}
}

func TestRedactRemovesEveryEntry(t *testing.T) {
	for name, src := range sampleFiles() {
		if name == "alias in an entry" {
			continue // the words are in a key of the user
		}
		m := frontmatter.Parse([]byte(src), nil)
		visible := string(frontmatter.Redact([]byte(src), m, nil))
		if strings.Contains(visible, "The staging") && !strings.Contains(body(src, m), "The staging") {
			t.Errorf("%s: %q", name, visible)
		}
	}
}
