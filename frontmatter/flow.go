package frontmatter

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory/frontmatter/fields"
)

// pair is one key of an entry with its value, as in the source.
type pair struct {
	key        string
	text       string
	linesAbove string // block style: the lines between the previous pair and this one
	comment    string // block style: the comment behind the value
}

// splitFlow splits text that begins with a bracket into the parts between its
// commas. It also returns the offset after the closing bracket. Comments make
// it fail, because a single line has no place for them.
func splitFlow(text string) (parts []string, end int, ok bool) {
	depth, begin := 0, 1
	valueStart, afterQuote := true, false // a quotation mark has a meaning only where a value begins
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case valueStart && (c == '"' || c == '\''):
			if i = skipQuoted(text, i); i < 0 {
				return nil, 0, false
			}
			valueStart, afterQuote = false, true
		case c == '#' && i > 0 && strings.IndexByte(" \t\n", text[i-1]) >= 0:
			return nil, 0, false
		case c == '{' || c == '[':
			depth++
			valueStart = true
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return appendPart(parts, text[begin:i]), i + 1, true
			}
			valueStart, afterQuote = false, false
		case c == ',':
			if depth == 1 {
				parts = appendPart(parts, text[begin:i])
				begin = i + 1
			}
			valueStart, afterQuote = true, false
		case c == ':':
			valueStart = afterQuote || i+1 < len(text) && strings.IndexByte(" \t\r\n,[]{}", text[i+1]) >= 0
			afterQuote = false
		case strings.IndexByte(" \t\r\n", c) < 0:
			valueStart, afterQuote = false, false
		}
	}
	return nil, 0, false
}

func appendPart(parts []string, text string) []string {
	if text = strings.TrimSpace(text); text == "" {
		return parts
	}
	return append(parts, text)
}

// skipQuoted returns the offset of the quotation mark that closes the one at i,
// or -1.
func skipQuoted(text string, i int) int {
	quote := text[i]
	for i++; i < len(text); i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			i++
		case text[i] != quote:
		case quote == '\'' && i+1 < len(text) && text[i+1] == '\'':
			i++
		default:
			return i
		}
	}
	return -1
}

// flowEntry is an entry between braces, split into its parts.
type flowEntry struct {
	before, pad, after string
	pairs              []pair
}

func (l *layout) flowEntry(it item) (e flowEntry, ok bool) {
	text := l.sourceOf(it)
	open := strings.IndexByte(text, '{')
	if open < 0 || strings.Trim(text[:open], " -\t\r\n") != "" {
		return e, false
	}
	parts, end, ok := splitFlow(text[open:])
	if !ok {
		return e, false
	}
	e.before, e.after = text[:open], text[open+end:]
	if strings.Contains(e.before, "\n") {
		e.before = l.margin + "- "
	}
	if strings.Contains(strings.TrimRight(e.after, "\r\n"), "\n") {
		return e, false
	}
	if open+2 < len(text) && text[open+1] == ' ' && text[open+2] != ' ' {
		e.pad = " "
	}
	e.pairs, ok = flowPairs(it.node, parts)
	return e, ok
}

func flowPairs(n *yaml.Node, parts []string) (pairs []pair, ok bool) {
	if len(parts) != len(n.Content)/2 {
		return nil, false
	}
	for i, text := range parts {
		key, v := n.Content[2*i], n.Content[2*i+1]
		if strings.Contains(text, "\n") {
			if v.Kind != yaml.ScalarNode {
				return nil, false
			}
			text = key.Value + ": " + rewriteScalar(v)
		}
		pairs = append(pairs, pair{key: key.Value, text: text})
	}
	return pairs, true
}

// rewriteScalar formats a value that spans several lines on one line.
func rewriteScalar(n *yaml.Node) string {
	if n.Tag == "!!str" {
		return fields.QuoteYAML(n.Value)
	}
	return n.Value
}

func (e flowEntry) String() string {
	var texts []string
	for _, p := range e.pairs {
		texts = append(texts, p.text)
	}
	return e.before + "{" + e.pad + strings.Join(texts, ", ") + e.pad + "}" + e.after
}

// editInline applies changes to a list between brackets. It first puts each
// entry on its own line.
func (e *editor) editInline(src []byte, todo []prepared, keepList bool) (after []byte, reason string) {
	text := string(bytes.Join(e.layout.lines[e.from:e.to], nil))
	open := strings.IndexByte(text, '[')
	parts, end, ok := splitFlow(text[max(open, 0):])
	if open < 0 || !ok || len(parts) != len(e.list.Content) {
		return nil, "its list " + fields.MemoriesKey + " cannot be split (perhaps there is a comment between its brackets)"
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
	at := e.bounds.start + len(bytes.Join(e.layout.lines[:e.from], nil))
	unfolded := slices.Concat(src[:at], []byte(b.String()), src[at+len(text):])
	r := parse(unfolded, e.zone, e.decisionsFile)
	if l, why := findLayout(r.root, r.bounds.raw(unfolded)); why != "" || r.ReadOnlyReason != "" || l.inline {
		return nil, "its list " + fields.MemoriesKey + " cannot be split into lines"
	}
	if after, reason = applyChanges(unfolded, r, todo, keepList); bytes.Equal(after, unfolded) {
		return src, reason
	}
	return after, reason
}
