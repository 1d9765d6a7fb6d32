// Package textedit changes single values in configuration files, as text: JSON with or
// without comments, TOML, YAML, and marked paragraphs. Comments, the order of keys,
// indentation, line ends, a byte order mark and a missing last newline stay.
//
// Each change is checked: the parsed file must be the old one with that change alone.
package textedit

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
)

// Format is the syntax of a file.
type Format string

// Formats. JSON may have comments and trailing commas, and a path in it may have the indexes of
// elements. In Text, a value is a paragraph between two marks, and the path is ignored.
const (
	JSON Format = ""
	TOML Format = "toml"
	YAML Format = "yaml"
	Text Format = "text"
)

// editor edits the text of one format. Values are JSON, whose order of keys is kept. A path
// that exists is replaced by put, and its parents are made if necessary.
type editor interface {
	parse(src []byte) (any, error)
	put(src []byte, path []string, value []byte) ([]byte, error)
	cut(src []byte, path []string) ([]byte, error)
	add(src []byte, path []string, element []byte) ([]byte, error)
}

// noLists is part of the editors of formats in which no client has a list to edit.
type noLists struct{}

func (noLists) add(_ []byte, path []string, _ []byte) ([]byte, error) { return nil, errKind(path) }

var editors = map[Format]editor{JSON: jsonEditor{}, TOML: tomlEditor{}, YAML: yamlEditor{}, Text: textEditor{}}

const byteOrderMark = "\ufeff"

// Document is a file that is edited.
type Document struct {
	editor editor
	mark   []byte
	src    []byte
	value  any
}

// Open parses a file. An empty one has no values.
func Open(format Format, src []byte) (*Document, error) {
	d := &Document{editor: editors[format]}
	d.src, _ = bytes.CutPrefix(src, []byte(byteOrderMark))
	d.mark = src[:len(src)-len(d.src)]
	value, err := d.editor.parse(d.src)
	d.value = value
	return d, err
}

// Bytes returns the text as it is now.
func (d *Document) Bytes() []byte { return append(bytes.Clone(d.mark), d.src...) }

// Value returns the value at a path as encoding/json would; nil: there is none.
func (d *Document) Value(path ...string) any {
	value := d.value
	for _, key := range path {
		switch parent := value.(type) {
		case map[string]any:
			value = parent[key]
		case []any:
			value = nil
			if index := indexOf(parent, key); index >= 0 {
				value = parent[index]
			}
		default:
			return nil
		}
	}
	return value
}

// indexOf returns the index that a part of a path names; -1: there is no such element.
func indexOf(list []any, key string) int {
	if index, err := strconv.Atoi(key); err == nil && index >= 0 && index < len(list) {
		return index
	}
	return -1
}

// List returns the list at a path.
func (d *Document) List(path ...string) []any {
	list, _ := d.Value(path...).([]any)
	return list
}

// Set gives the value at a path another value, in JSON. In a YAML file it may be YAML.
func (d *Document) Set(value []byte, path ...string) error {
	want, err := valueOf(value)
	if err != nil || reflect.DeepEqual(d.Value(path...), want) {
		return err
	}
	expected, ok := with(d.value, path, func(any) (any, bool) { return want, true })
	if !ok {
		return errKind(path)
	}
	return d.replace(expected)(d.editor.put(d.src, path, value))
}

// Append adds an element, in JSON, to the end of the list at a path.
func (d *Document) Append(element []byte, path ...string) error {
	want, err := decoded(element)
	if err != nil {
		return err
	}
	expected, ok := with(d.value, path, func(old any) (any, bool) {
		list, isList := old.([]any)
		return append(slices.Clone(list), want), isList || old == nil
	})
	if !ok {
		return errKind(path)
	}
	return d.replace(expected)(d.editor.add(d.src, path, element))
}

// Cut removes the value at a path, and the objects and lists that are empty without it.
func (d *Document) Cut(path ...string) error {
	if d.Value(path...) == nil {
		return nil
	}
	for len(path) > 1 && size(d.Value(path[:len(path)-1]...)) == 1 {
		path = path[:len(path)-1]
	}
	return d.replace(without(d.value, path))(d.editor.cut(d.src, path))
}

// replace returns a function that takes a new text, if it has the expected values.
func (d *Document) replace(expected any) func(src []byte, err error) error {
	return func(src []byte, err error) error {
		if err != nil {
			return err
		}
		got, err := d.editor.parse(src)
		if err != nil || !reflect.DeepEqual(got, expected) {
			return memory.Conflict("the file has a form that cannot be edited safely").WithHint("make the changes that --preview shows yourself")
		}
		d.src, d.value = src, got
		return nil
	}
}

func errKind(path []string) error {
	return memory.Conflict("%s cannot be set, because a value of another kind is there", dotted(path))
}

func dotted(path []string) string {
	var text []byte
	for i, key := range path {
		if i > 0 {
			text = append(text, '.')
		}
		text = append(text, key...)
	}
	return string(text)
}

func decoded(value []byte) (v any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber()
	err = decoder.Decode(&v)
	return v, err
}

// valueOf returns a value in YAML, which contains JSON.
func valueOf(value []byte) (v any, err error) {
	if err := yaml.Unmarshal(value, &v); err != nil {
		return nil, err
	}
	return throughJSON(v)
}

// with returns a copy of a tree in which change has replaced the value at a path.
func with(tree any, path []string, change func(old any) (any, bool)) (any, bool) {
	if len(path) == 0 {
		return change(tree)
	}
	if list, isList := tree.([]any); isList {
		index, ok := indexOf(list, path[0]), false
		if list = slices.Clone(list); index >= 0 {
			list[index], ok = with(list[index], path[1:], change)
		}
		return list, ok
	}
	object, isObject := tree.(map[string]any)
	if !isObject && tree != nil {
		return nil, false
	}
	inner, ok := with(object[path[0]], path[1:], change)
	changed := map[string]any{path[0]: inner}
	for key, value := range object {
		if key != path[0] {
			changed[key] = value
		}
	}
	return changed, ok
}

// without returns a copy of a tree that lacks the value at a path.
func without(tree any, path []string) any {
	parent, last := path[:len(path)-1], path[len(path)-1]
	changed, _ := with(tree, parent, func(old any) (any, bool) {
		if list, isList := old.([]any); isList {
			index := indexOf(list, last)
			return slices.Delete(slices.Clone(list), index, index+1), true
		}
		object := maps.Clone(old.(map[string]any))
		delete(object, last)
		return object, true
	})
	return changed
}

func size(v any) int {
	switch v := v.(type) {
	case map[string]any:
		return len(v)
	case []any:
		return len(v)
	}
	return 0
}

// lineEnd returns the line end that a text uses.
func lineEnd(src []byte) string {
	if at := bytes.IndexByte(src, '\n'); at > 0 && src[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// behindLineEnd returns the place behind the line end at a place, if one is there. A file may have
// line ends of both kinds.
func behindLineEnd(src []byte, at int) int {
	rest := bytes.TrimPrefix(src[at:], []byte("\r"))
	if !bytes.HasPrefix(rest, []byte("\n")) {
		return at
	}
	return len(src) - len(rest) + 1
}

// withoutLineEnd returns a text without the line end at its end.
func withoutLineEnd(src []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(src, []byte("\n")), []byte("\r"))
}

// splice returns a text in which the bytes from start to end are replaced.
func splice(src []byte, start, end int, text string) []byte {
	return slices.Concat(src[:start], []byte(text), src[end:])
}
