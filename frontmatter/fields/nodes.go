package fields

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// ContainsNode reports whether holds is true for a node or any node inside it.
// It does not follow aliases, so it ends.
func ContainsNode(n *yaml.Node, holds func(*yaml.Node) bool) bool {
	return holds(n) || slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return ContainsNode(c, holds) })
}

// ResolveAlias returns the node that an alias refers to, or the node itself.
func ResolveAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}
