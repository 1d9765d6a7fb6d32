package chunker

import "strings"

// Bullet writes a text as one bullet of a top-level list, ending in a line
// feed; nothing for a text that says nothing. Whatever the text holds, the file
// around it means what it meant, and Blocks reads the text back as [Clean] gives
// it, with nothing declared.
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
		mark = "  " // the column of the content: deeper it would be code
	}
	return append(out, '\n')
}

// Clean is a text as a block holds it: valid UTF-8 without NUL, line feeds, no
// blanks at the ends of lines, no white space around the whole.
func Clean(text string) string { return strings.TrimSpace(cleanSource([]byte(text))) }

// escape puts one backslash before each sign of a text.
func escape(s string) string {
	return rewrite(s, func(slashes string) string { return `\` + slashes })
}

// unescape takes one backslash away where escape puts one, and nowhere else:
// paths, patterns and formulas keep theirs.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	return rewrite(s, func(slashes string) string { return strings.TrimPrefix(slashes, `\`) })
}

func rewrite(s string, slashes func(string) string) string {
	found := findMarkup(s, codeSpans(s))
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
