package frontmatter

import (
	"bytes"
	"slices"
	"strings"
)

// editInline puts a list that stands between brackets on lines of its own and
// edits those.
func (e *editing) editInline(src []byte, todo []prepared, keepList bool) (after []byte, reason string) {
	text := string(bytes.Join(e.layout.lines[e.from:e.to], nil))
	open := strings.IndexByte(text, '[')
	parts, end, ok := scanFlow(text[max(open, 0):])
	if open < 0 || !ok || len(parts) != len(e.list.Content) {
		return nil, "its list " + memoriesKey + " cannot be taken apart (a comment between its brackets?)"
	}
	var b strings.Builder
	b.WriteString(strings.TrimRight(text[:open], " \t\r\n"))
	if rest := strings.TrimSpace(text[open+end:]); rest != "" {
		b.WriteString(" " + rest)
	}
	b.WriteString(e.eol)
	for _, p := range parts {
		b.WriteString(e.margin + "- " + p + e.eol)
	}
	at := e.cut.start + len(bytes.Join(e.layout.lines[:e.from], nil))
	unfolded := slices.Concat(src[:at], []byte(b.String()), src[at+len(text):])
	r := parse(unfolded, e.zone, e.bare)
	if l, why := layoutOf(r.root, r.cut.raw(unfolded)); why != "" || r.ReadOnlyReason != "" || l.inline {
		return nil, "its list " + memoriesKey + " cannot be put on lines of its own"
	}
	if after, reason = edit(unfolded, r, todo, keepList); bytes.Equal(after, unfolded) {
		return src, reason
	}
	return after, reason
}
