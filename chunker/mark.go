package chunker

import (
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
)

// Mark returns the comment that declares d beside a text; empty: d declares nothing that a
// comment can.
func Mark(d memory.Declared) string {
	var pairs []string
	for _, f := range fields.All {
		if pair := f.Annotation(d); pair != "" {
			pairs = append(pairs, pair)
		}
	}
	if pairs == nil {
		return ""
	}
	return "<!-- " + strings.Join(pairs, "; ") + " -->"
}

// MarkedBullets returns the ways to write a text as a bullet with the mark of d. The mark is
// at the end of the text, or on a line of its own behind a text that ends with a fence. A text
// that leaves a fence open has it on a line of its own before it.
func MarkedBullets(text string, d memory.Declared) []string {
	bullet, mark := strings.TrimSuffix(string(Bullet(text)), "\n"), Mark(d)
	if mark == "" {
		return []string{bullet + "\n"}
	}
	return []string{bullet + " " + mark + "\n", bullet + "\n  " + mark + "\n", "- " + mark + "\n  " + strings.TrimPrefix(bullet, "- ") + "\n"}
}
