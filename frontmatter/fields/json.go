package fields

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
)

// maxDepth limits the nesting of JSON; our keys need three levels.
const maxDepth = 200

// decodeJSON keeps line numbers and repeated keys, which decoding to a map
// would lose.
func decodeJSON(raw []byte) Tree {
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
		return Tree{Err: err, ErrLine: d.at()}
	}
	return Tree{Root: root}
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
