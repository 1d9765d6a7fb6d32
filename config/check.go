package config

import (
	_ "embed"
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
)

// retired lists the former settings, one on a line, and what applies instead of them.
//
//go:embed retired.txt
var retired string

// replacementOf returns what applies instead of a former setting.
func replacementOf(key string) (text string, isRetired bool) {
	_, rest, found := strings.Cut("\n"+retired, "\n"+key+": ")
	text, _, _ = strings.Cut(rest, "\n")
	return text, found
}

// checkTypes checks that every key of the file is known and has a value of its type.
// The error names the line, the key, the value and what is allowed.
func (l *Loaded) checkTypes(n *yaml.Node, t reflect.Type, key string) error {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct && n.Kind == yaml.SequenceNode {
		return l.checkItems(n, t.Elem(), key)
	}
	isGroup := t.Kind() == reflect.Struct || t.Kind() == reflect.Map
	switch {
	case n.Tag == "!!null":
		return nil
	case t.Kind() == reflect.Int && n.Tag == "!!float": // the library cuts the fraction off
		return l.wrongType(n, t, key)
	case !isGroup && n.Decode(reflect.New(t).Interface()) != nil, isGroup && n.Kind != yaml.MappingNode:
		return l.wrongType(n, t, key)
	case !isGroup:
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, child := n.Content[i], strings.TrimPrefix(key+"."+n.Content[i].Value, ".")
		if name.Tag == "!!merge" {
			continue
		}
		if instead, isRetired := replacementOf(child); isRetired {
			l.Notes = append(l.Notes, fmt.Sprintf("%s:%d: %s has no effect any more: %s", l.File, name.Line, child, instead))
			continue
		}
		childType, known := typeOf(t, name.Value)
		if !known {
			return memory.Invalid(child, "%s:%d: unknown key %q", l.File, name.Line, child).
				WithHint("correct or remove it; memory config lists every key")
		}
		if err := l.checkTypes(n.Content[i+1], childType, child); err != nil {
			return err
		}
	}
	return nil
}

// checkItems checks the items of a list of groups. An item may also be a text.
func (l *Loaded) checkItems(list *yaml.Node, t reflect.Type, key string) error {
	for _, item := range list.Content {
		if item.Kind == yaml.ScalarNode {
			continue
		}
		if err := l.checkTypes(item, t, key); err != nil {
			return err
		}
	}
	return nil
}

// typeOf returns the type of one key in a group.
func typeOf(group reflect.Type, name string) (reflect.Type, bool) {
	if group.Kind() == reflect.Map {
		return group.Elem(), true
	}
	for i := range group.NumField() {
		if f := group.Field(i); keyName(f) == name {
			return f.Type, true
		}
	}
	return nil, false
}

// wrongType returns the error for a value that its key does not take.
func (l *Loaded) wrongType(n *yaml.Node, t reflect.Type, key string) error {
	value := map[yaml.Kind]string{yaml.MappingNode: "a group of keys", yaml.SequenceNode: "a list"}[n.Kind]
	if n.Kind == yaml.ScalarNode {
		value = fmt.Sprintf("%q", n.Value)
	}
	if key == "" {
		key = "config"
		return memory.Invalid(key, "%s:%d: the file is %s, and not a group of keys", l.File, n.Line, value).WithHint(correctFile)
	}
	return memory.Invalid(key, "%s:%d: %s: %s is not %s", l.File, n.Line, key, value, expected(t, key)).WithHint(correctFile)
}

// expected describes the values that a key takes.
func expected(t reflect.Type, key string) string {
	text := map[reflect.Kind]string{reflect.Int: "a whole number", reflect.Float64: "a number", reflect.Bool: "true or false",
		reflect.String: "a text", reflect.Slice: "a list", reflect.Struct: "a group of keys", reflect.Map: "a group of names"}[t.Kind()]
	if k, known := KeyNamed(key); known {
		return text + k.rangeText()
	}
	for _, k := range Keys() {
		if strings.HasPrefix(k.Name, key+".") {
			return text + ", such as " + k.Name
		}
	}
	if t == reflect.TypeFor[Workspace]() {
		text += ", such as " + key + ".path"
	}
	return text
}
