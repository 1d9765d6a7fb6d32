package fields

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

func decodeYAML(raw []byte) Tree {
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	var doc, next yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return Tree{}
	} else if err != nil {
		return yamlError(raw, err)
	}
	t := Tree{Multiple: !errors.Is(dec.Decode(&next), io.EOF)}
	if len(doc.Content) > 0 {
		t.Root = doc.Content[0]
	}
	if t.Root != nil && t.Root.Kind == yaml.ScalarNode && t.Root.Tag == "!!null" && t.Root.Value == "" {
		t.Root = nil
	}
	return t
}

var (
	yamlErrorLine = lazyregexp.New(`^line (\d+): `)
	yamlAlias     = lazyregexp.New(`unknown anchor '([^']*)'`)
)

// yamlError finds the line of a decoding error. The library counts lines from 0
// in its parser and from 1 in its scanner, and omits the first.
func yamlError(raw []byte, err error) Tree {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 0
	if m := yamlErrorLine().FindStringSubmatch(message); m != nil {
		line, _ = strconv.Atoi(m[1])
		message = message[len(m[0]):]
	}
	switch {
	case strings.HasPrefix(message, "did not find expected"):
		line++
	case yamlAlias().MatchString(message):
		name := yamlAlias().FindStringSubmatch(message)[1]
		line = LineOf(raw, bytes.Index(raw, []byte("*"+name)))
	case line == 0:
		line = LineOf(raw, bytes.IndexFunc(raw, isInvalidInYAML))
	}
	line = min(max(line, 1), max(bytes.Count(raw, []byte("\n")), 1))
	return Tree{Err: errors.New(message), ErrLine: line}
}

// isInvalidInYAML reports whether YAML forbids an unescaped character.
func isInvalidInYAML(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f || r == utf8.RuneError
}

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
