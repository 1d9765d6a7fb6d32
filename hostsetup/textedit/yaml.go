package textedit

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
)

// yamlEditor edits YAML in block style. It adds and removes whole lines.
type yamlEditor struct{ noLists }

func (yamlEditor) parse(src []byte) (any, error) {
	var values any
	if err := yaml.Unmarshal(src, &values); err != nil {
		return nil, memory.Invalid("", "the file cannot be edited: %v", err).WithHint("correct the file first")
	}
	if values == nil {
		values = map[string]any{}
	}
	if _, isMap := values.(map[string]any); !isMap {
		return nil, memory.Invalid("", "the file is not a map of names").WithHint("correct the file first")
	}
	return throughJSON(values)
}

// member is a key of a block mapping: the lines that it takes, from 0, and its column.
type member struct {
	first, end int
	column     int
	value      *yaml.Node
}

// findMember returns the deepest member on a path, and how many keys of the path it fits.
func findMember(src []byte, path []string) (m member, depth int) {
	var document yaml.Node
	if yaml.Unmarshal(src, &document) != nil || len(document.Content) == 0 {
		return member{end: lineCount(src)}, 0
	}
	at := document.Content[0]
	m = member{end: lineCount(src), value: at}
	for _, key := range path {
		if at.Kind != yaml.MappingNode || at.Style&yaml.FlowStyle != 0 {
			return m, depth
		}
		index := slices.IndexFunc(at.Content, func(n *yaml.Node) bool { return n.Value == key })
		if index < 0 || index%2 != 0 {
			return m, depth
		}
		end := m.end
		if index+2 < len(at.Content) {
			end = at.Content[index+2].Line - 1
		}
		m = member{at.Content[index].Line - 1, end, at.Content[index].Column - 1, at.Content[index+1]}
		at, depth = m.value, depth+1
	}
	return m, depth
}

func lineCount(src []byte) int { return len(lines(src)) }

// lines splits a text at YAML's line breaks, and keeps them.
func lines(src []byte) (all []string) {
	for len(src) > 0 {
		end := len(src)
		if at := bytes.IndexAny(src, "\n\r\u0085\u2028\u2029"); at >= 0 {
			_, size := utf8.DecodeRune(src[at:])
			if end = at + size; bytes.HasPrefix(src[at:], []byte("\r\n")) {
				end++
			}
		}
		all, src = append(all, string(src[:end])), src[end:]
	}
	return all
}

// trimmed returns the end of a member without the empty lines and comments behind it.
func trimmed(all []string, m member) int {
	end := m.end
	for end > m.first+1 {
		line := strings.TrimSpace(all[end-1])
		if line != "" && !strings.HasPrefix(line, "#") {
			break
		}
		end--
	}
	return end
}

func (e yamlEditor) put(src []byte, path []string, value []byte) ([]byte, error) {
	m, depth := findMember(src, path)
	all := lines(src)
	if depth == len(path) {
		text, err := yamlText(path[depth-1:], value, strings.Repeat(" ", m.column), lineEnd(src))
		return joinLines(all, m.first, trimmed(all, m), text, lineEnd(src)), err
	}
	if m.value != nil && m.value.Kind == yaml.MappingNode && m.value.Style&yaml.FlowStyle != 0 {
		return nil, errKind(path)
	}
	indent, end := "", len(all)
	if depth > 0 {
		indent, end = strings.Repeat(" ", m.column+2), trimmed(all, m)
		if m.value.Kind == yaml.MappingNode {
			indent = strings.Repeat(" ", m.value.Column-1)
		}
	}
	text, err := yamlText(path[depth:], value, indent, lineEnd(src))
	return joinLines(all, end, end, text, lineEnd(src)), err
}

func (e yamlEditor) cut(src []byte, path []string) ([]byte, error) {
	m, depth := findMember(src, path)
	if depth < len(path) {
		return nil, errKind(path)
	}
	all := lines(src)
	end := trimmed(all, m)
	out := strings.Join(slices.Concat(all[:m.first], all[end:]), "")
	if end == len(all) && !strings.HasSuffix(all[end-1], "\n") { // as before put
		out = strings.TrimSuffix(out, lineEnd(src))
	}
	return []byte(out), nil
}

// joinLines replaces lines. A missing newline at the end of the file stays missing.
func joinLines(all []string, start, end int, text, eol string) []byte {
	if n := len(all); n > 0 && end == n && !strings.HasSuffix(all[n-1], "\n") {
		text = strings.TrimSuffix(text, eol)
		if start == n {
			text = eol + text
		}
	}
	return []byte(strings.Join(all[:start], "") + text + strings.Join(all[end:], ""))
}

// yamlText returns a value below its keys as lines.
func yamlText(path []string, value []byte, indent, eol string) (string, error) {
	var node yaml.Node
	if err := yaml.Unmarshal(value, &node); err != nil {
		return "", err
	}
	clearStyle(&node)
	content := node.Content[0]
	for _, key := range slices.Backward(path) {
		content = &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: key}, content}}
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(content); err != nil {
		return "", err
	}
	text := ""
	for line := range strings.Lines(out.String()) {
		text += indent + strings.TrimSuffix(line, "\n") + eol
	}
	return text, nil
}

// clearStyle makes a tree that was JSON look like YAML. Texts keep their quotes.
func clearStyle(node *yaml.Node) {
	if node.Kind != yaml.ScalarNode {
		node.Style = 0
	}
	for i, child := range node.Content {
		clearStyle(child)
		if node.Kind == yaml.MappingNode && i%2 == 0 {
			child.Style = 0 // a key
		}
	}
}
