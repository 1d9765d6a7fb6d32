package frontmatter

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// layout is where our list stands in the lines of front matter. Numbers count
// lines from 0.
type layout struct {
	lines    [][]byte
	key      *yaml.Node // nil: there is no list yet
	list     *yaml.Node
	from, to int    // of the key and its list
	margin   string // before the - of a line
	items    []item // as the list holds them
	inline   bool   // the list is between brackets, and has something in it
}

// item is one line about a memory; it may stand on several.
type item struct {
	node     *yaml.Node
	from, to int
}

// findLayout finds our list, or says why its lines cannot be told apart.
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
		return l, "its front matter has two lists " + memoriesKey
	case !strings.HasPrefix(strings.TrimLeft(string(l.lines[l.from]), " \"'"), memoriesKey):
		return l, "its key " + memoriesKey + " is written in a way of its own"
	case containsNode(l.key, hasAnchorOrTag) || containsNode(l.list, hasAnchorOrTag):
		return l, "its list " + memoriesKey + " has anchors, aliases or tags"
	case len(l.list.Content) == 0 && (l.list.Kind != yaml.ScalarNode || l.list.Tag == "!!null"):
		if l.to > l.from+1 {
			return l, "its empty list " + memoriesKey + " stands on several lines"
		}
		return l, ""
	case l.list.Kind != yaml.SequenceNode:
		return l, "its key " + memoriesKey + " is not a list"
	case l.list.Style&yaml.FlowStyle != 0:
		l.inline = true
		return l, ""
	}
	return l, l.findItems()
}

// findItems finds the line of each -, which must be as many as YAML sees.
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
		return "the lines of its list " + memoriesKey + " cannot be told apart"
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

// containsNode says whether something holds for a node or one within it. It stops
// at aliases, so it ends.
func containsNode(n *yaml.Node, holds func(*yaml.Node) bool) bool {
	return holds(n) || slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return containsNode(c, holds) })
}

// splitLines keeps the line ends.
func splitLines(raw []byte) [][]byte {
	var lines [][]byte
	for line := range bytes.Lines(raw) {
		lines = append(lines, line)
	}
	return lines
}

// keyLineRange are the lines of a top-level key and its value, from key to the next
// one, less trailing lines for which own says no.
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

// isContent says that a line is neither blank nor a comment.
func isContent(line []byte) bool {
	t := bytes.TrimSpace(line)
	return len(t) > 0 && t[0] != '#'
}

// isIndentedContent says that a line is content, or a comment inside a value.
func isIndentedContent(margin int) func([]byte) bool {
	return func(line []byte) bool {
		return isContent(line) || len(bytes.TrimSpace(line)) > 0 && indent(line) > margin
	}
}

// indent is how many blanks a line begins with.
func indent(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }

// findReadOnlyReason says why single lines of this front matter cannot be changed with
// everything else sure to stay; empty where they can.
func (r *parser) findReadOnlyReason(raw []byte) string {
	switch {
	case r.Format != FormatYAML:
		return "its front matter is " + r.Format.title()
	case r.bounds.closedByDots:
		return "its front matter is closed by ... instead of ---"
	case hasYAMLOnlyBreaks(raw):
		return "its front matter has line breaks that only YAML knows"
	case r.root == nil:
		return ""
	case r.root.Style&yaml.FlowStyle != 0:
		return "its front matter is written between braces"
	case hasAnchorOrTag(r.root):
		return "its front matter has an anchor or a tag as a whole"
	}
	_, reason := findLayout(r.root, raw)
	return reason
}

// hasYAMLOnlyBreaks says that YAML counts other lines than a text editor does.
func hasYAMLOnlyBreaks(raw []byte) bool {
	for _, b := range []string{"\u0085", "\u2028", "\u2029"} {
		if bytes.Contains(raw, []byte(b)) {
			return true
		}
	}
	return bytes.Count(raw, []byte("\r")) != bytes.Count(raw, []byte("\r\n"))
}

// hasAnchorOrTag says that a value has an anchor, is an alias, or names its type.
func hasAnchorOrTag(n *yaml.Node) bool {
	return n.Anchor != "" || n.Kind == yaml.AliasNode || n.Style&yaml.TaggedStyle != 0
}
