package json5

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrNotFound reports that a path leads to no value.
var ErrNotFound = errors.New("no such value")

// Set gives the value at a path another value, and makes the objects on the way. A
// value is a bool, a string, a number, or a list or map of these. Set returns the new
// source; the same source if the value is there already.
func Set(src []byte, path []string, value any) ([]byte, error) {
	root, err := Parse(src)
	if err != nil {
		return nil, err
	}
	object, rest, err := deepest(root, path)
	if err != nil {
		return nil, err
	}
	l := layoutOf(src, root)
	if len(rest) == 0 {
		if equal(object.Any(), value) {
			return src, nil
		}
		return splice(src, object.Start, object.End, l.render(value, l.lineIndent(object.Start), l.multiLine(object))), nil
	}
	for _, key := range slices.Backward(rest[1:]) {
		value = map[string]any{key: value}
	}
	return l.insert(object, l.key(rest[0])+": ", value), nil
}

// deepest follows a path as far as it leads. It returns the value there and the keys
// that are left.
func deepest(root *Value, path []string) (v *Value, rest []string, err error) {
	v = root
	for i, key := range path {
		if v.Kind != Object {
			return nil, nil, fmt.Errorf("%s is not an object", strings.Join(path[:i], "."))
		}
		next := v.member(key)
		if next == nil {
			return v, path[i:], nil
		}
		v = next
	}
	return v, nil, nil
}

// Append adds a text to the list at a path, which it makes if necessary. If the list
// contains the text, nothing changes.
func Append(src []byte, path []string, element string) ([]byte, error) {
	root, err := Parse(src)
	if err != nil {
		return nil, err
	}
	list := root.Lookup(path...)
	if list == nil {
		return Set(src, path, []any{element})
	}
	if list.Kind != Array {
		return nil, fmt.Errorf("%s is not a list", strings.Join(path, "."))
	}
	if list.index(element) >= 0 {
		return src, nil
	}
	return layoutOf(src, root).insert(list, "", element), nil
}

// index returns the position of a text in a list, or -1.
func (v *Value) index(element string) int {
	return slices.IndexFunc(v.Elements, func(e *Value) bool { return e.Kind == String && e.text == element })
}

// Remove takes a text out of the list at a path.
func Remove(src []byte, path []string, element string) ([]byte, error) {
	root, err := Parse(src)
	if err != nil {
		return nil, err
	}
	list := root.Lookup(path...)
	if list == nil || list.Kind != Array || list.index(element) < 0 {
		return nil, ErrNotFound
	}
	return deleteItem(src, list, list.index(element))
}

// Delete removes the member at a path.
func Delete(src []byte, path []string) ([]byte, error) {
	root, err := Parse(src)
	if err != nil {
		return nil, err
	}
	object := root.Lookup(path[:len(path)-1]...)
	if object == nil || object.Kind != Object {
		return nil, ErrNotFound
	}
	for i, m := range slices.Backward(object.Members) { // the last one counts
		if m.Key == path[len(path)-1] {
			return deleteItem(src, object, i)
		}
	}
	return nil, ErrNotFound
}

// ReplaceRaw gives the value at a path the source text of another value.
func ReplaceRaw(src []byte, path []string, raw string) ([]byte, error) {
	root, err := Parse(src)
	if err != nil {
		return nil, err
	}
	v := root.Lookup(path...)
	if v == nil {
		return nil, ErrNotFound
	}
	return splice(src, v.Start, v.End, raw), nil
}

// span is a member of an object or an element of a list in the source.
type span struct{ start, end int }

func (v *Value) items() (items []span) {
	for _, m := range v.Members {
		items = append(items, span{m.Start, m.Value.End})
	}
	for _, e := range v.Elements {
		items = append(items, span{e.Start, e.End})
	}
	return items
}

// deleteItem removes an item with its comma. If the item has a line of its own, the
// line goes too. Comments stay.
func deleteItem(src []byte, v *Value, i int) ([]byte, error) {
	items := v.items()
	item := items[i]
	start, end := item.start, item.end
	comma := commaAfter(src, item.end, v.End)
	last := i == len(items)-1
	out := src
	if comma >= 0 {
		out = splice(out, comma, comma+1, "")
	}
	if blank := len(bytes.TrimRight(src[:start], " \t")); blank > 0 && src[blank-1] == '\n' {
		start = len(bytes.TrimSuffix(src[:blank-1], []byte("\r")))
	} else if i > 0 {
		start = blank
	} else {
		end += len(out[end:]) - len(bytes.TrimLeft(out[end:], " \t"))
	}
	out = splice(out, start, end, "")
	if last && i > 0 && comma < 0 {
		before := commaAfter(src, items[i-1].end, item.start)
		out = splice(out, before, before+1, "")
	}
	if _, err := Parse(out); err != nil {
		return nil, fmt.Errorf("the value cannot be removed: %w", err)
	}
	return out, nil
}

// commaAfter returns the position of the comma behind an item that ends at from, or
// -1. Comments may be between them.
func commaAfter(src []byte, from, to int) int {
	p := &parser{src: src[:to], at: from}
	if p.skipSpace(); p.at < to && src[p.at] == ',' {
		return p.at
	}
	return -1
}

func splice(src []byte, start, end int, text string) []byte {
	return slices.Concat(src[:start], []byte(text), src[end:])
}
