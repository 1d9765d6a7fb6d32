package config

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/atomicfile"
)

// Set changes one key of a configuration file and keeps every other line and
// comment. It quotes the value for YAML.
func Set(file, key, value string) error {
	return edit(file, key, func(src []byte) ([]byte, error) { return setKey(src, key, value) })
}

// Unset removes a key, or a whole workspace (workspaces.NAME), from the file.
func Unset(file, key string) error {
	return edit(file, key, func(src []byte) ([]byte, error) { return unsetKey(src, strings.Split(key, ".")) })
}

// Change is the new value of a key; an empty value removes the key.
type Change struct{ Key, Value string }

// SetAll changes several keys in one atomic write.
func SetAll(file string, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	return edit(file, changes[0].Key, func(src []byte) (next []byte, err error) {
		for _, c := range changes {
			if c.Value == "" {
				src, err = unsetKey(src, strings.Split(c.Key, "."))
			} else {
				src, err = setKey(src, c.Key, c.Value)
			}
			if err != nil {
				return nil, err
			}
		}
		return src, nil
	})
}

// edit writes the changed file, unless the result does not load.
func edit(file, key string, change func([]byte) ([]byte, error)) error {
	src, err := readConfiguration(file)
	if err != nil {
		return err
	}
	next, err := change(src)
	var broken notYAML
	if errors.As(err, &broken) {
		return yamlError(file, broken.error)
	}
	if err != nil {
		return err
	}
	if bytes.Equal(src, next) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return memory.Unavailable(err, "write the configuration")
	}
	var invalid error
	err = atomicfile.WriteWith(file, 0o600, func(temporary *os.File) error {
		if _, err := temporary.Write(next); err != nil {
			return err
		}
		if _, err := Load(temporary.Name(), nil); err != nil {
			invalid = renamedFile(err, key, temporary.Name(), file)
		}
		return invalid
	})
	switch {
	case invalid != nil:
		return invalid
	case err != nil:
		return memory.Unavailable(err, "write the configuration")
	}
	return nil
}

// notYAML is the YAML library's error about a configuration that cannot be edited.
type notYAML struct{ error }

// renamedFile returns the error of loading a temporary file as an error about the file
// that it replaces.
func renamedFile(err error, key, temp, file string) error {
	invalid := memory.Invalid(key, "%s", strings.ReplaceAll(err.Error(), temp, file))
	var known *memory.Error
	if errors.As(err, &known) {
		invalid.Hint = strings.ReplaceAll(known.Hint, temp, file)
	}
	return invalid
}

func setKey(src []byte, key, value string) ([]byte, error) {
	k, ok := KeyNamed(key)
	if !ok {
		return nil, memory.Invalid("key", "unknown key %q", key).WithHint("memory config --docs lists every key")
	}
	text, err := k.yamlText(value)
	if err != nil {
		return nil, err
	}
	return setValue(src, strings.Split(key, "."), text)
}

// setValue sets a key to a value in YAML that has one line.
func setValue(src []byte, parts []string, value string) ([]byte, error) {
	lines, newline := splitLines(src)
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		return nil, notYAML{err}
	}
	if len(doc.Content) == 0 {
		return joinLines(append(lines, nestedLines(parts, value, 0)...), newline), nil
	}
	at, depth, parent := findKey(doc.Content[0], parts)
	switch {
	case depth == len(parts) && at.Kind == yaml.SequenceNode:
		return replaceList(lines, newline, parts, at, parent, value)
	case depth == len(parts):
		return replaceScalar(lines, newline, at, value)
	case parent.Style&yaml.FlowStyle != 0 || parent.Kind != yaml.MappingNode:
		return nil, cannotEditError(strings.Join(parts, "."), "it is inside a YAML flow mapping")
	}
	indent := 0
	if len(parent.Content) > 0 {
		indent = parent.Content[0].Column - 1
	}
	after := lastLine(parent)
	if len(parent.Content) == 0 {
		after = len(lines)
	}
	insert := nestedLines(parts[depth:], value, indent)
	next := append(append(append([]string(nil), lines[:after]...), insert...), lines[after:]...)
	return joinLines(next, newline), nil
}

// yamlText validates a value of the key and writes it as YAML.
func (k Key) yamlText(value string) (string, error) {
	if strings.HasPrefix(k.Name, identityPrefix) {
		return identityYAML(value)
	}
	t := reflect.TypeFor[Config]()
	if strings.HasPrefix(k.Name, "workspaces.") {
		t = reflect.TypeFor[Workspace]()
	}
	field := reflect.New(t.FieldByIndex(k.index).Type).Elem()
	if err := k.assign(field, value); err != nil {
		return "", memory.Invalid(k.Name, "%s: %s", k.Name, err).WithHint("%s: %s", k.Name, k.Doc)
	}
	out, err := yaml.Marshal(field.Interface())
	return strings.TrimSpace(string(out)), err
}

// findKey follows the parts of a key as far as the file has them. It returns the
// last value node, the number of parts found, and the mapping that contains the
// last part, or would contain the next.
func findKey(n *yaml.Node, parts []string) (value *yaml.Node, depth int, parent *yaml.Node) {
	parent = n
	for depth < len(parts) {
		var child *yaml.Node
		for i := 0; i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
			if n.Content[i].Value == parts[depth] {
				child = n.Content[i+1]
			}
		}
		if child == nil {
			return n, depth, n
		}
		parent, n = n, child
		depth++
	}
	return n, depth, parent
}

// replaceScalar changes the value of one line and keeps the comment after it.
func replaceScalar(lines []string, newline string, at *yaml.Node, scalar string) ([]byte, error) {
	line := lines[at.Line-1]
	old := line[at.Column-1:]
	if at.Kind != yaml.ScalarNode || at.Anchor != "" || at.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return nil, cannotEditError("", "the value spans several lines")
	}
	comment := ""
	if at.LineComment != "" {
		if i := strings.LastIndex(old, at.LineComment); i >= 0 {
			comment = " " + at.LineComment
		}
	}
	next := append([]string(nil), lines...)
	next[at.Line-1] = line[:at.Column-1] + scalar + comment
	return joinLines(next, newline), nil
}

// replaceList replaces a list by a value in one line. It keeps the comment beside the
// key of a list that has a line for each item.
func replaceList(lines []string, newline string, parts []string, at, parent *yaml.Node, value string) ([]byte, error) {
	name := parts[len(parts)-1]
	i := slices.IndexFunc(parent.Content, func(n *yaml.Node) bool { return n == at })
	key := parent.Content[i-1]
	end := lastLine(at)
	if parent.Style&yaml.FlowStyle != 0 || at.Anchor != "" || key.Value != name || at.Style&yaml.FlowStyle != 0 && end != key.Line {
		return nil, cannotEditError(strings.Join(parts, "."), "the list spans several lines, or is inside a YAML flow mapping")
	}
	line := lines[key.Line-1]
	colon := key.Column - 1 + strings.Index(line[key.Column-1:], ":") + 1
	rest := line[colon:]
	if at.Style&yaml.FlowStyle != 0 {
		rest = ""
		if at.LineComment != "" {
			rest = " " + at.LineComment
		}
	}
	next := append(slices.Clone(lines[:key.Line-1]), line[:colon]+" "+value+rest)
	return joinLines(append(next, lines[end:]...), newline), nil
}

func unsetKey(src []byte, parts []string) ([]byte, error) {
	lines, newline := splitLines(src)
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		return nil, notYAML{err}
	}
	if len(doc.Content) == 0 {
		return src, nil
	}
	_, depth, parent := findKey(doc.Content[0], parts)
	if depth < len(parts) {
		return src, nil
	}
	if parent.Style&yaml.FlowStyle != 0 {
		return nil, cannotEditError(strings.Join(parts, "."), "it is inside a YAML flow mapping")
	}
	if len(parent.Content) == 2 && len(parts) > 1 { // the mapping would be empty
		return unsetKey(src, parts[:len(parts)-1])
	}
	for i := 0; i+1 < len(parent.Content); i += 2 {
		if name := parent.Content[i]; name.Value == parts[len(parts)-1] {
			next := append(append([]string(nil), lines[:name.Line-1]...), lines[lastLine(parent.Content[i+1]):]...)
			return joinLines(next, newline), nil
		}
	}
	return src, nil
}

// lastLine returns the last line of a node and its children.
func lastLine(n *yaml.Node) int {
	last := n.Line
	for _, c := range n.Content {
		last = max(last, lastLine(c))
	}
	return last
}

// nestedLines formats a key and its value as nested YAML lines.
func nestedLines(parts []string, scalar string, indent int) []string {
	var out []string
	for i, p := range parts {
		line := strings.Repeat(" ", indent+2*i) + p + ":"
		if i == len(parts)-1 {
			line += " " + scalar
		}
		out = append(out, line)
	}
	return out
}

func splitLines(src []byte) (lines []string, newline string) {
	newline = "\n"
	if bytes.Contains(src, []byte("\r\n")) {
		newline = "\r\n"
	}
	text := strings.TrimSuffix(strings.ReplaceAll(string(src), "\r\n", "\n"), "\n")
	if text == "" {
		return nil, newline
	}
	return strings.Split(text, "\n"), newline
}

func joinLines(lines []string, newline string) []byte {
	if len(lines) == 0 {
		return nil
	}
	return []byte(strings.Join(lines, newline) + newline)
}

func cannotEditError(key, why string) error {
	return memory.Conflict("%s cannot be set by command: %s", strings.TrimSpace("the key "+key), why).
		WithHint("edit config.yaml by hand; memory config shows the values")
}

// RenameWorkspace changes the name of a workspace in the file; other text stays.
func RenameWorkspace(file, from, to string) error {
	return edit(file, "workspaces."+from, func(src []byte) ([]byte, error) {
		lines, newline := splitLines(src)
		var doc yaml.Node
		if err := yaml.Unmarshal(src, &doc); err != nil {
			return nil, notYAML{err}
		}
		if len(doc.Content) == 0 {
			return src, nil
		}
		all, depth, _ := findKey(doc.Content[0], []string{"workspaces"})
		for i := 0; depth == 1 && i+1 < len(all.Content); i += 2 {
			if name := all.Content[i]; name.Value == from {
				line := lines[name.Line-1]
				before, after := line[:name.Column-1], strings.TrimPrefix(line[name.Column-1:], from)
				lines[name.Line-1] = before + to + after
				return joinLines(lines, newline), nil
			}
		}
		return nil, &memory.Error{Kind: memory.ErrNotFound, Field: "workspace", Message: "no workspace is named " + from}
	})
}
