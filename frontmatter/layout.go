package frontmatter

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory/frontmatter/fields"
)

// layout is the position of the list of entries in the lines of front matter.
// Line numbers start at 0.
type layout struct {
	lines    [][]byte
	key      *yaml.Node // nil: no list yet
	list     *yaml.Node
	from, to int    // lines of the key and its list
	margin   string // indentation of the dashes
	items    []item // the entries in list order
	inline   bool   // the list is between brackets and not empty
}

// item is one entry of the list; it may span several lines.
type item struct {
	node     *yaml.Node
	from, to int
}

// findLayout finds the list of entries. A non-empty reason means that its lines
// cannot be separated.
func findLayout(root *yaml.Node, raw []byte) (l layout, reason string) {
	l.lines = splitLines(raw)
	l.from, l.to = len(l.lines), len(l.lines)
	l.margin = "  "
	if root == nil {
		return l, ""
	}
	l.margin = strings.Repeat(" ", root.Column+1)
	keys := memoriesKeys(root)
	if len(keys) == 0 {
		return l, ""
	}
	l.key, l.list = root.Content[keys[0]], root.Content[keys[0]+1]
	l.from, l.to = keyLineRange(root, keys[0], l.lines, isContent)
	switch {
	case len(keys) > 1:
		return l, "its front matter has two lists " + fields.MemoriesKey
	case !strings.HasPrefix(strings.ToLower(strings.TrimLeft(string(l.lines[l.from]), " \"'")), fields.MemoriesKey):
		return l, "its key " + fields.MemoriesKey + " is written in an unusual YAML form"
	case fields.ContainsNode(l.key, hasAnchorOrTag) || fields.ContainsNode(l.list, hasAnchorOrTag):
		return l, "its list " + fields.MemoriesKey + " has YAML anchors, aliases or type tags"
	case len(l.list.Content) == 0 && (l.list.Kind != yaml.ScalarNode || l.list.Tag == "!!null"):
		if l.to > l.from+1 {
			return l, "its empty list " + fields.MemoriesKey + " spans several lines"
		}
		return l, ""
	case l.list.Kind != yaml.SequenceNode:
		return l, "its key " + fields.MemoriesKey + " is not a list"
	case l.list.Style&yaml.FlowStyle != 0:
		l.inline = true
		return l, ""
	}
	return l, l.findItems()
}

// findItems finds the line of each dash. Their number must equal the number of
// entries that YAML finds.
func (l *layout) findItems() (reason string) {
	l.margin = strings.Repeat(" ", l.list.Column-1)
	var dashes []int
	for n := l.from + 1; n < l.to; n++ {
		rest, ok := bytes.CutPrefix(l.lines[n], []byte(l.margin+"-"))
		if ok && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0) {
			dashes = append(dashes, n)
		}
	}
	if len(dashes) != len(l.list.Content) {
		return "the entries of its list " + fields.MemoriesKey + " cannot be separated"
	}
	for i, n := range dashes {
		end := l.to
		if i+1 < len(dashes) {
			end = dashes[i+1]
		}
		for end > n+1 && !isContent(l.lines[end-1]) {
			end--
		}
		l.items = append(l.items, item{l.list.Content[i], n, end})
	}
	return ""
}

// splitLines splits text into lines with their line ends.
func splitLines(raw []byte) [][]byte {
	var lines [][]byte
	for line := range bytes.Lines(raw) {
		lines = append(lines, line)
	}
	return lines
}

// keyLineRange returns the lines of a top-level key and its value. They end
// before the next key, without the trailing lines for which own is false.
func keyLineRange(root *yaml.Node, i int, lines [][]byte, own func(line []byte) bool) (from, to int) {
	from, to = root.Content[i].Line-1, len(lines)
	if i+2 < len(root.Content) {
		to = min(to, root.Content[i+2].Line-1)
	}
	for to > from+1 && !own(lines[to-1]) {
		to--
	}
	return from, to
}

// isContent reports whether a line is neither blank nor a comment.
func isContent(line []byte) bool {
	t := bytes.TrimSpace(line)
	return len(t) > 0 && t[0] != '#'
}

// isIndentedContent reports whether a line is content or a comment inside a
// value.
func isIndentedContent(margin int) func([]byte) bool {
	return func(line []byte) bool {
		return isContent(line) || len(bytes.TrimSpace(line)) > 0 && indent(line) > margin
	}
}

// indent returns the number of blanks at the start of a line.
func indent(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }

// findReadOnlyReason returns why single entries of this front matter cannot be
// changed safely, or "".
func (r *parser) findReadOnlyReason(raw []byte) string {
	switch {
	case r.Format != fields.YAML:
		return "its front matter is " + r.Format.Title()
	case r.bounds.closedByDots:
		return "its front matter is closed by ... instead of ---"
	case hasYAMLOnlyBreaks(raw):
		return "its front matter has line breaks that only YAML recognises (such as U+2028 or a lone carriage return)"
	case r.root == nil:
		return ""
	case r.root.Style&yaml.FlowStyle != 0:
		return "its front matter is written between braces"
	case hasAnchorOrTag(r.root):
		return "its front matter has a YAML anchor or type tag at its start"
	}
	_, reason := findLayout(r.root, raw)
	return reason
}

// hasYAMLOnlyBreaks reports whether YAML counts other lines than a text editor.
func hasYAMLOnlyBreaks(raw []byte) bool {
	for _, b := range []string{"\u0085", "\u2028", "\u2029"} {
		if bytes.Contains(raw, []byte(b)) {
			return true
		}
	}
	return bytes.Count(raw, []byte("\r")) != bytes.Count(raw, []byte("\r\n"))
}

// hasAnchorOrTag reports whether a value has an anchor or a type tag, or is an
// alias.
func hasAnchorOrTag(n *yaml.Node) bool {
	return n.Anchor != "" || n.Kind == yaml.AliasNode || n.Style&yaml.TaggedStyle != 0
}
