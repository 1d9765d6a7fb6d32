package frontmatter

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory/frontmatter/fields"
)

// keyValue is one key of a mapping with its value. merged reports that it comes
// from a YAML merge key (<<).
type keyValue struct {
	key, value *yaml.Node
	merged     bool
}

// maxMergedPairs limits the pairs that merge keys may add to one mapping.
const maxMergedPairs = 1000

// mappingPairs returns the pairs of a mapping, then those of its merge keys. An
// entry is written key by key, so merge keys add only what protects its memory.
func (r *parser) mappingPairs(n *yaml.Node, p fields.Level) []keyValue {
	var pairs []keyValue
	var merges []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, node := n.Content[i], n.Content[i+1]
		isMerge := key.Value == mergeKey
		if isMerge {
			merges = append(merges, node)
		}
		if !isMerge || p == fields.EntryLevel {
			pairs = append(pairs, keyValue{key: key, value: node})
		}
	}
	seen := map[*yaml.Node]bool{n: true}
	var merged []keyValue
	for _, node := range merges {
		merged = appendMerged(merged, node, seen)
	}
	for _, kv := range merged {
		if f := fields.Find(kv.key.Value, p); f != nil && (p == fields.FileLevel || f.Protects) {
			pairs = append(pairs, kv)
		}
	}
	return pairs
}

const mergeKey = "<<"

// appendMerged appends the pairs of a merge key's value: a mapping, an alias of
// one, or a list of them. Each mapping is read once, so that aliases cannot
// multiply.
func appendMerged(pairs []keyValue, node *yaml.Node, seen map[*yaml.Node]bool) []keyValue {
	node = fields.ResolveAlias(node)
	if seen[node] || len(pairs) > maxMergedPairs {
		return pairs
	}
	seen[node] = true
	switch node.Kind {
	case yaml.SequenceNode:
		for _, item := range node.Content {
			pairs = appendMerged(pairs, item, seen)
		}
	case yaml.MappingNode:
		var deeper []*yaml.Node
		for i := 0; i+1 < len(node.Content); i += 2 {
			if strings.TrimSpace(node.Content[i].Value) == mergeKey {
				deeper = append(deeper, node.Content[i+1])
				continue
			}
			pairs = append(pairs, keyValue{node.Content[i], node.Content[i+1], true})
		}
		for _, d := range deeper {
			pairs = appendMerged(pairs, d, seen)
		}
	}
	return pairs
}
