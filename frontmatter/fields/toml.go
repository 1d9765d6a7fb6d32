package fields

import (
	"errors"
	"fmt"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"go.yaml.in/yaml/v3"
)

// decodeTOML returns the values with the lines of their top-level keys, and of
// the items of lists of tables.
func decodeTOML(raw []byte) Tree {
	var values map[string]any
	if err := toml.Unmarshal(raw, &values); err != nil {
		t := Tree{Err: err, ErrLine: 1}
		if decoding := (*toml.DecodeError)(nil); errors.As(err, &decoding) {
			t.ErrLine, _ = decoding.Position()
		}
		return t
	}
	root := new(yaml.Node)
	if err := root.Encode(values); err != nil {
		return Tree{Err: fmt.Errorf("cannot be read: %w", err), ErrLine: 1}
	}
	lines := tomlLines(raw)
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		for n, line := range lines[key.Value] {
			if n == 0 {
				setLines(key, line)
				setLines(value, line)
			}
			if value.Kind == yaml.SequenceNode && n < len(value.Content) {
				setLines(value.Content[n], line)
			}
		}
	}
	return Tree{Root: root}
}

// tomlLines maps each top-level key to the lines that define it.
func tomlLines(raw []byte) map[string][]int {
	lines := map[string][]int{}
	var p unstable.Parser
	p.Reset(raw)
	inTable := false
	for p.NextExpression() {
		e := p.Expression()
		top := e.Kind != unstable.KeyValue
		if inTable && !top {
			continue
		}
		inTable = inTable || top
		key := e.Key()
		if !key.Next() {
			continue
		}
		name := key.Node()
		if e.Kind == unstable.KeyValue || key.IsLast() {
			lines[string(name.Data)] = append(lines[string(name.Data)], p.Shape(name.Raw).Start.Line)
		}
	}
	return lines
}

// setLines gives a node and all that it contains one line.
func setLines(n *yaml.Node, line int) {
	n.Line = line
	for _, c := range n.Content {
		setLines(c, line)
	}
}
