package frontmatter

import (
	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
	"github.com/memory-tiered/memory/frontmatter/protecting"
)

// protectUnread withholds the whole file if a part of its front matter cannot be read and
// has a key that protects. One fault reports it. Entries that protect a memory are read by
// readUnread.
func (r *parser) protectUnread(raw []byte, t fields.Tree) {
	if r.decisionsFile {
		return
	}
	unread := t.Err != nil || t.Multiple || r.bounds.unclosed || r.unread
	for _, m := range protecting.InHead(raw, unread) {
		if !unread && !m.Loose {
			continue // it is read, or a part of a value
		}
		r.withhold(min(r.bounds.firstLine+m.Line, r.lastLine), m.Name, "cannot be read here")
	}
}

// withhold keeps all memories of the file from models while a mark that protects cannot be
// read. The first one is a fault.
func (r *parser) withhold(line int, mark, mistake string) {
	if !r.Withheld {
		r.addFault(line, "%s %s: until you correct it, the whole file counts as private", mark, mistake)
	}
	r.ofUser = r.ofUser || mark == "user"
	r.Withheld = true
}

// withholdNested withholds the file if a key that protects is inside the value of another
// key, where it declares nothing.
func (r *parser) withholdNested() {
	for i := 0; i+1 < len(r.root.Content); i += 2 {
		key, node := r.root.Content[i], r.root.Content[i+1]
		if isListKey(key) || isMisspelledList(key, node) || protecting.Pair(key.Value, node.Value) != nil {
			continue
		}
		visitNested(node, func(key *yaml.Node, k *protecting.Key) {
			if !declares(r.FileDefaults, k.Name) {
				r.withhold(r.fileLine(key), k.Name, "is inside another key")
			}
		})
	}
}

// declares reports whether a file itself declares a key.
func declares(d memory.Declared, key string) bool {
	return key == "user" && d.User != "" || key == "trust" && d.Trust != "" || key == "private" && d.Private != nil
}

// visitNested calls visit for each key inside a value that looks like a mark.
func visitNested(n *yaml.Node, visit func(key *yaml.Node, k *protecting.Key)) {
	for i, child := range n.Content {
		visitNested(child, visit)
		if n.Kind != yaml.MappingNode || i%2 == 1 || n.Content[i+1].Kind != yaml.ScalarNode {
			continue
		}
		if k := protecting.Pair(child.Value, n.Content[i+1].Value); k != nil {
			visit(child, k)
		}
	}
}

// looksProtecting reports whether a text that cannot be decoded has a line that looks like
// a mark. At the head of a file, its value may be any word.
func looksProtecting(raw []byte) bool {
	if list, found := afterListKey(raw); found {
		if k, _ := protecting.InLine(string(list)); k != nil {
			return true
		}
	}
	return len(protecting.InHead(raw, true)) > 0
}
