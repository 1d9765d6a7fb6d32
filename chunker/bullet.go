package chunker

import (
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
	"github.com/memory-tiered/memory/internal/markdown"
)

// Bullet formats a text as one bullet of a top-level list, with a line feed at
// its end. It returns nil for a text without content. The bullet changes the
// meaning of no other line of the file, and [Blocks] reads back the text that
// [Clean] returns, without any annotation. A line that is an entry of front matter is left
// out there, because it is never part of a memory.
func Bullet(text string) []byte {
	text = Clean(text)
	if text == "" {
		return nil
	}
	out := make([]byte, 0, len(text)+len(text)/8+8)
	mark := "- "
	for line := range strings.SplitAfterSeq(escape(text), "\n") {
		if line != "\n" {
			out = append(out, mark...)
		}
		out = append(out, line...)
		mark = "  " // the column of the content; a deeper indentation would be code
	}
	return append(out, '\n')
}

// Clean normalises a text to the form that a block has. That is valid UTF-8
// without NUL, with line feeds. No line ends with blanks, and no white space
// surrounds the text.
func Clean(text string) string { return strings.TrimSpace(cleanSource([]byte(text))) }

// escape adds one backslash before each piece of markup of a text.
func escape(s string) string {
	return rewrite(s, func(slashes string) string { return `\` + slashes })
}

// unescape removes one backslash where escape adds one, and nowhere else:
// paths, patterns and formulas keep theirs.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	return rewrite(s, func(slashes string) string { return strings.TrimPrefix(slashes, `\`) })
}

// rewrite replaces the backslashes before each piece of markup.
func rewrite(s string, slashes func(string) string) string {
	found := findMarkup(s, markdown.Code(s))
	if len(found) == 0 {
		return s
	}
	var out strings.Builder
	at := 0
	for _, x := range found {
		out.WriteString(s[at:x.escapeStart])
		out.WriteString(slashes(s[x.escapeStart:x.start]))
		at = x.start
	}
	out.WriteString(s[at:])
	return out.String()
}

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
