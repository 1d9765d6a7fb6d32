package textedit

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
)

// tomlEditor edits TOML. A value is a table with a header of its own, at the end of the file.
type tomlEditor struct{ noLists }

func (tomlEditor) parse(src []byte) (any, error) {
	values := map[string]any{}
	if err := toml.Unmarshal(src, &values); err != nil {
		return nil, memory.Invalid("", "the file cannot be edited: %v", err).WithHint("correct the file first")
	}
	return throughJSON(values)
}

// throughJSON returns a value with the types that encoding/json has.
func throughJSON(v any) (any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, memory.Invalid("", "the file cannot be edited: %v", err)
	}
	return decoded(text)
}

func (e tomlEditor) put(src []byte, path []string, value []byte) ([]byte, error) {
	eol := lineEnd(src)
	text, err := tomlTable(path, value, eol)
	if err != nil {
		return nil, err
	}
	if t, ok := findTable(src, path); ok {
		return splice(src, t.start, t.end, text), nil
	}
	if len(src) == 0 {
		return []byte(text + eol), nil
	}
	if !bytes.HasSuffix(src, []byte("\n")) {
		return splice(src, len(src), len(src), eol+eol+text), nil
	}
	return splice(src, len(src), len(src), eol+text+eol), nil
}

func (e tomlEditor) cut(src []byte, path []string) ([]byte, error) {
	for {
		t, ok := findTable(src, path)
		if !ok {
			return src, nil
		}
		start, end := t.start, t.end
		if end == len(src) { // a file without a last newline, as before put
			start = len(bytes.TrimRight(src[:start], " \t\r\n"))
		} else {
			end = behindLineEnd(src, end)
			if before := withoutLineEnd(src[:start]); bytes.HasSuffix(before, []byte("\n")) {
				start = len(before) // the empty line of put
			}
		}
		src = splice(src, start, end, "")
	}
}

// span is the place of a table, from its header to its last value, without the last line end.
type span struct{ start, end int }

// findTable returns the place of the first table whose header is a path, or is below it.
func findTable(src []byte, path []string) (found span, ok bool) {
	var p unstable.Parser
	p.Reset(src)
	for p.NextExpression() {
		node := p.Expression()
		isHeader := node.Kind == unstable.Table || node.Kind == unstable.ArrayTable
		if isHeader && ok {
			break
		}
		if isHeader {
			keys, at := tomlKeys(node)
			if len(keys) < len(path) || !slices.Equal(keys[:len(path)], path) {
				continue
			}
			found.start, ok = bytes.LastIndexByte(src[:at], '\n')+1, true
			found.end = endOfLine(src, at)
		} else if ok && node.Kind == unstable.KeyValue {
			found.end = endOfLine(src, int(node.Raw.Offset+node.Raw.Length))
		}
	}
	return found, ok
}

func tomlKeys(node *unstable.Node) (keys []string, offset int) {
	for it := node.Key(); it.Next(); {
		if len(keys) == 0 {
			offset = int(it.Node().Raw.Offset)
		}
		keys = append(keys, string(it.Node().Data))
	}
	return keys, offset
}

func endOfLine(src []byte, at int) int {
	if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
		return len(bytes.TrimSuffix(src[:at+n], []byte("\r")))
	}
	return len(src)
}

// tomlTable returns a table as text. JSON's texts and lists are TOML's too.
func tomlTable(path []string, value []byte, eol string) (string, error) {
	var node yaml.Node // YAML keeps the order of keys, and contains JSON
	if err := yaml.Unmarshal(value, &node); err != nil || node.Content[0].Kind != yaml.MappingNode {
		return "", errKind(path)
	}
	header := make([]string, len(path))
	for i, key := range path {
		header[i] = tomlKey(key)
	}
	lines := []string{"[" + strings.Join(header, ".") + "]"}
	members := node.Content[0].Content
	for i := 0; i < len(members); i += 2 {
		text, err := json.Marshal(nodeValue(members[i+1]))
		if err != nil {
			return "", err
		}
		lines = append(lines, tomlKey(members[i].Value)+" = "+strings.ReplaceAll(string(text), `","`, `", "`))
	}
	return strings.Join(lines, eol), nil
}

func nodeValue(node *yaml.Node) (v any) {
	_ = node.Decode(&v) // it was JSON
	return v
}

// tomlKey quotes a key that is not bare.
func tomlKey(key string) string {
	for _, r := range key {
		if !strings.ContainsRune("-_", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return string(quoted(key))
		}
	}
	return key
}
