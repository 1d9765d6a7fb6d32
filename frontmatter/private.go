package frontmatter

import (
	"bytes"
	"encoding/json"
	"strings"

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
		if isListKey(key) || isMisspelledList(key, node) || protecting.IsPair(key.Value, node.Value) {
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
		if n.Kind != yaml.MappingNode || i%2 == 1 || n.Content[i+1].Kind != yaml.ScalarNode || !protecting.IsPair(child.Value, n.Content[i+1].Value) {
			continue
		}
		visit(child, protecting.Find(child.Value, n.Content[i+1].Value))
	}
}

// looksProtecting reports whether a text that cannot be decoded has a line that looks like
// a mark. At the head of a file, its value may be any word.
func looksProtecting(raw []byte) bool { return len(protecting.InHead(raw, true)) > 0 }

// splitJSON finds JSON front matter without delimiters whose braces do not have
// lines of their own. It is an object at the start, then the end of its line. A
// blank line follows, unless the object has one of our keys. An object that
// cannot be decoded ends at the first blank line, and counts only if it
// declares private.
func splitJSON(src []byte, at int) bounds {
	c := bounds{format: fields.JSON, bareJSON: true, start: at, firstLine: 1}
	limited := src[at:min(len(src), at+fields.MaxSize)]
	dec := json.NewDecoder(bytes.NewReader(limited))
	var object map[string]json.RawMessage
	err := dec.Decode(&object)
	c.end = at + int(dec.InputOffset())
	rest := lineAt(src, c.end)
	if err != nil || trimEnd(rest) != "" {
		c.end = paragraphEnd(src, at)
		c.bodyStart = c.end
		if !looksProtecting(c.raw(src)) {
			return bounds{}
		}
		return c
	}
	c.bodyStart = c.end + len(rest)
	next := lineAt(src, c.bodyStart)
	if trimEnd(next) == "" {
		c.bodyStart += len(next)
		return c
	}
	for key := range object {
		if strings.EqualFold(key, fields.MemoriesKey) || fields.Find(key, fields.FileLevel) != nil {
			return c
		}
	}
	return bounds{}
}

// closing returns the line that closes front matter of this format.
func (c bounds) closing() string {
	if c.format == fields.TOML {
		return "+++"
	}
	return "---"
}
