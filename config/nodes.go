package config

import (
	"reflect"
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

// setInFlow sets a key below a flow mapping, in the tree only. It reports whether it
// could.
func setInFlow(mapping *yaml.Node, parts []string, value *yaml.Node) bool {
	for _, part := range parts[:len(parts)-1] {
		next, found := child(mapping, part)
		switch {
		case !found:
			next.value = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
			addTo(mapping, part, next.value)
		case isNull(next.value):
			*next.value = yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		case next.value.Kind != yaml.MappingNode:
			return false
		}
		mapping = next.value
	}
	name := parts[len(parts)-1]
	if old, found := child(mapping, name); found {
		*old.value = *value
	} else {
		addTo(mapping, name, value)
	}
	return true
}

func addTo(mapping *yaml.Node, name string, value *yaml.Node) {
	mapping.Content = append(mapping.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name}, value)
}

// unsetInFlow removes a key below a flow mapping, and the groups that are empty without
// it, in the tree only. It reports whether the key was there.
func unsetInFlow(mapping *yaml.Node, parts []string) bool {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value != parts[0] {
			continue
		}
		value := mapping.Content[i+1]
		if len(parts) > 1 && !unsetInFlow(value, parts[1:]) {
			return false
		}
		if len(parts) == 1 || len(value.Content) == 0 {
			mapping.Content = append(mapping.Content[:i:i], mapping.Content[i+2:]...)
		}
		return true
	}
	return false
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

// sameValue reports whether two nodes mean the same, however they are written.
func sameValue(a, b *yaml.Node) bool {
	var left, right any
	return a.Decode(&left) == nil && b.Decode(&right) == nil && reflect.DeepEqual(left, right)
}
