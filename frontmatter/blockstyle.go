package frontmatter

import (
	"bytes"
	"strings"
)

// blockEntry is an entry with one key per line, as other editors write it. It
// keeps that style, because the next save in such an editor would restore it
// anyway.
type blockEntry struct {
	before        string // the text before the first key: the dash, or only blanks if the dash has its own line
	indent        string
	dashLines     string // the lines before the first key, if the dash has its own line
	pairs         []pair
	trailingLines string // the lines after the last pair
	eol           string
}

func (l *layout) blockEntry(it item, eol string) (e blockEntry, ok bool) {
	keys := len(it.node.Content) / 2
	if keys == 0 {
		return e, false
	}
	col := it.node.Content[0].Column - 1
	e.indent, e.eol = strings.Repeat(" ", col), eol
	at := it.from // the first line that is not in e yet
	for i := range keys {
		key := it.node.Content[2*i]
		from, to := key.Line-1, it.to
		if i+1 < keys {
			to = it.node.Content[2*i+2].Line - 1
		}
		if key.Column-1 != col || from < at || to <= from || col > len(l.lines[from]) {
			return e, false
		}
		for to > from+1 && !isContent(l.lines[to-1]) {
			to--
		}
		before := string(l.lines[from][:col])
		if !e.checkIndent(i, before, from == it.from) {
			return e, false
		}
		p := pair{key: key.Value, comment: it.node.Content[2*i+1].LineComment, linesAbove: string(bytes.Join(l.lines[at:from], nil))}
		p.text = string(bytes.Join(l.lines[from:to], nil))[col:]
		if i == 0 {
			e.dashLines, p.linesAbove = p.linesAbove, ""
		}
		e.pairs = append(e.pairs, p)
		at = to
	}
	return e, true
}

// checkIndent checks the text before a key and keeps it for the first key.
func (e *blockEntry) checkIndent(i int, before string, onDash bool) bool {
	if i == 0 && onDash {
		e.before = before
		return strings.Trim(before, " ") == "-"
	}
	if i == 0 {
		e.before = e.indent
	}
	return before == e.indent
}

// String writes the pairs, whichever is first behind the dash.
func (e blockEntry) String() string {
	var b strings.Builder
	b.WriteString(e.dashLines)
	for i, p := range e.pairs {
		if i == 0 {
			b.WriteString(e.before + p.text + p.linesAbove)
			continue
		}
		b.WriteString(p.linesAbove + e.indent + p.text)
	}
	b.WriteString(e.trailingLines)
	return b.String()
}

// replacePair returns the text of a pair with a new value. A comment behind the
// old value stays.
func (e blockEntry) replacePair(key, value string, old pair) string {
	comment := ""
	if at := strings.LastIndex(old.text, old.comment); old.comment != "" && at > 0 && strings.Count(old.text, "\n") <= 1 {
		kept := strings.TrimRight(old.text[:at], " \t")
		comment = strings.TrimRight(old.text[len(kept):], "\r\n")
	}
	return key + ": " + value + comment + e.eol
}
