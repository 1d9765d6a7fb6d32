package config

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// oneLine writes a node on one line, without its comments.
func oneLine(n *yaml.Node) (string, error) {
	flatten(n)
	out, err := yaml.Marshal(n)
	return strings.TrimSpace(string(out)), err
}

// flatten gives a node and its parts a style that needs one line.
func flatten(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	switch {
	case n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode:
		n.Style = yaml.FlowStyle
	case strings.Contains(n.Value, "\n"):
		n.Style = yaml.DoubleQuotedStyle
	}
	for _, c := range n.Content {
		flatten(c)
	}
}

// lastBeginning returns the last line on which a node or a part of it begins.
func lastBeginning(n *yaml.Node) int {
	last := n.Line
	for _, c := range n.Content {
		last = max(last, lastBeginning(c))
	}
	return last
}

// nodesAfter lists the nodes that begin after a line.
func nodesAfter(n *yaml.Node, line int) (after []*yaml.Node) {
	if n.Line > line {
		after = append(after, n)
	}
	for _, c := range n.Content {
		after = append(after, nodesAfter(c, line)...)
	}
	return after
}

func isBlockMapping(n *yaml.Node) bool {
	return n != nil && n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle == 0
}

func isNull(n *yaml.Node) bool { return n == nil || n.Tag == "!!null" }

// child returns the entry of a mapping that has a name.
func child(mapping *yaml.Node, name string) (entry, bool) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if key := mapping.Content[i]; key.Value == name && key.Tag != "!!merge" {
			return entry{key, mapping.Content[i+1]}, true
		}
	}
	return entry{}, false
}
