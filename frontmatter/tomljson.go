package frontmatter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"go.yaml.in/yaml/v3"
)

// maxDepth limits the nesting of JSON; our keys need three levels.
const maxDepth = 200

// decodeTOML returns the values with the lines of their top-level keys, and of
// the items of lists of tables.
func decodeTOML(raw []byte) decoded {
	var values map[string]any
	if err := toml.Unmarshal(raw, &values); err != nil {
		t := decoded{err: err, errLine: 1}
		if decoding := (*toml.DecodeError)(nil); errors.As(err, &decoding) {
			t.errLine, _ = decoding.Position()
		}
		return t
	}
	root := new(yaml.Node)
	if err := root.Encode(values); err != nil {
		return decoded{err: fmt.Errorf("cannot be read: %w", err), errLine: 1}
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
	return decoded{root: root}
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

func setLines(n *yaml.Node, line int) {
	n.Line = line
	for _, c := range n.Content {
		setLines(c, line)
	}
}

// decodeJSON keeps line numbers and repeated keys, which decoding to a map
// would lose.
func decodeJSON(raw []byte) decoded {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	d := jsonDecoder{dec, raw, 0, 1}
	root, err := d.value(0)
	if err == nil {
		if _, extra := dec.Token(); !errors.Is(extra, io.EOF) {
			err = errors.New("more than one value")
		} else if root.Kind != yaml.MappingNode {
			err = errors.New("not an object")
		}
	}
	if err != nil {
		return decoded{err: err, errLine: d.at()}
	}
	return decoded{root: root}
}

type jsonDecoder struct {
	*json.Decoder
	raw    []byte
	offset int // lines are counted up to here
	line   int
}

func (d *jsonDecoder) at() int {
	now := min(int(d.InputOffset()), len(d.raw))
	d.line += bytes.Count(d.raw[d.offset:now], []byte("\n"))
	d.offset = now
	return d.line
}

func (d *jsonDecoder) value(depth int) (*yaml.Node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Line: d.at()}
	switch v := token.(type) {
	case json.Delim:
		n.Kind = yaml.SequenceNode
		if v == '{' {
			n.Kind = yaml.MappingNode
		}
		return n, d.content(n, depth)
	case string:
		n.Tag, n.Value = "!!str", v
	case json.Number:
		n.Tag, n.Value = "!!float", v.String()
	case bool:
		n.Tag, n.Value = "!!bool", fmt.Sprint(v)
	case nil:
		n.Tag = "!!null"
	}
	return n, nil
}

func (d *jsonDecoder) content(n *yaml.Node, depth int) error {
	if depth > maxDepth {
		return errors.New("nested too deeply")
	}
	for d.More() {
		child, err := d.value(depth + 1)
		if err != nil {
			return err
		}
		n.Content = append(n.Content, child)
	}
	_, err := d.Token()
	return err
}
