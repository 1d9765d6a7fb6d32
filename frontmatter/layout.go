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

// layoutOf finds our list, or says why its lines cannot be told apart.
func layoutOf(root *yaml.Node, raw []byte) (l layout, reason string) {
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
	l.from, l.to = keyLines(root, keys[0], l.lines, isContent)
	switch {
	case len(keys) > 1:
		return l, "its front matter has two lists " + memoriesKey
	case !strings.HasPrefix(strings.TrimLeft(string(l.lines[l.from]), " \"'"), memoriesKey):
		return l, "its key " + memoriesKey + " is written in a way of its own"
	case anywhere(l.key, marked) || anywhere(l.list, marked):
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

// anywhere says whether something holds for a node or one within it. It stops
// at aliases, so it ends.
func anywhere(n *yaml.Node, holds func(*yaml.Node) bool) bool {
	return holds(n) || slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return anywhere(c, holds) })
}
