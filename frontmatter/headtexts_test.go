package frontmatter_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/frontmatter"
)

func TestHeadTextsContainValuesAndComments(t *testing.T) {
	for name, head := range map[string]string{
		"YAML value":      "---\ntitle: the code is long\n---\n",
		"quoted":          "---\ntitle: \"the code is long\"\n---\n",
		"folded":          "---\nnote: >\n  the code\n  is long\n---\n",
		"YAML comment":    "---\n# the code is long\ntier: hot\n---\n",
		"comment behind":  "---\ntier: hot # the code is long\n---\n",
		"nested":          "---\nmore:\n  - {a: the code is long}\n---\n",
		"TOML":            "+++\ntitle = \"the code is long\"\n+++\n",
		"TOML comment":    "+++\n# the code is long\ntier = \"hot\"\n+++\n",
		"byte order mark": "\uFEFF---\ntitle: the code is long\n---\n",
	} {
		src := []byte(head + "- the body\n")
		texts := frontmatter.HeadTexts(src, frontmatter.Parse(src, time.UTC))
		isText := func(s string) bool { return strings.Trim(s, " \t\r\n\"#,}") == "the code is long" }
		if !slices.ContainsFunc(texts, isText) || slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "body") }) {
			t.Errorf("%s: %q", name, texts)
		}
	}
}
