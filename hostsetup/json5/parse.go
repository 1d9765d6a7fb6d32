// Package json5 edits JSON5 files in place. An edit changes only the bytes of its
// value: comments, order, quotes and line ends stay. https://spec.json5.org
package json5

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Kind is the type of a value.
type Kind int

// The kinds of JSON5 values.
const (
	Null Kind = iota
	Boolean
	Number
	String
	Array
	Object
)

// Value is a value in a source text.
type Value struct {
	Kind       Kind
	Start, End int // bytes in the source
	Members    []Member
	Elements   []*Value

	text string // of a string: its content; of other scalars: the literal
}

// Member is one key of an object with its value.
type Member struct {
	Key   string
	Start int // byte of the key in the source
	Value *Value
}

// SyntaxError reports where a text is not JSON5.
type SyntaxError struct {
	Line, Column int // from 1; the column counts characters
	Message      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// maxDepth limits how deep values may be nested. Configurations have fewer than 20.
const maxDepth = 500

// Parse reads a JSON5 text. An error is a [*SyntaxError].
func Parse(src []byte) (*Value, error) {
	p := &parser{src: src}
	p.skipSpace()
	v := p.value(0)
	if p.skipSpace(); p.at < len(src) {
		p.fail("unexpected %s after the value", p.found())
	}
	if p.err != nil {
		return nil, p.err
	}
	return v, nil
}

// parser reads a source from byte at on. After the first error it only returns.
type parser struct {
	src []byte
	at  int
	err *SyntaxError
}

func (p *parser) fail(format string, args ...any) {
	if p.err != nil {
		return
	}
	before := p.src[:p.at]
	line := bytes.LastIndexByte(before, '\n') + 1
	p.err = &SyntaxError{
		Line:    bytes.Count(before, []byte("\n")) + 1,
		Column:  utf8.RuneCount(before[line:]) + 1,
		Message: fmt.Sprintf(format, args...),
	}
}

// found describes the next character for an error.
func (p *parser) found() string {
	if p.at >= len(p.src) {
		return "end of the file"
	}
	r, _ := utf8.DecodeRune(p.src[p.at:])
	return fmt.Sprintf("%q", r)
}

// accept skips one byte if it is next.
func (p *parser) accept(c byte) bool {
	if p.err != nil || p.at >= len(p.src) || p.src[p.at] != c {
		return false
	}
	p.at++
	return true
}

func (p *parser) value(depth int) *Value {
	v := &Value{Start: p.at}
	switch {
	case p.err != nil:
		return v
	case depth > maxDepth:
		p.fail("values are nested more than %d deep", maxDepth)
	case p.at >= len(p.src):
		p.fail("a value is missing at the end of the file")
	case p.src[p.at] == '{':
		p.object(v, depth)
	case p.src[p.at] == '[':
		p.array(v, depth)
	case p.src[p.at] == '"', p.src[p.at] == '\'':
		v.Kind, v.text = String, p.quoted()
	default:
		p.literal(v)
	}
	v.End = p.at
	return v
}

func (p *parser) object(v *Value, depth int) {
	v.Kind = Object
	p.at++
	for p.skipSpace(); p.err == nil && !p.accept('}'); p.skipSpace() {
		m := Member{Start: p.at}
		m.Key = p.key()
		p.skipSpace()
		if !p.accept(':') {
			p.fail("expected : after the key %q, found %s", m.Key, p.found())
		}
		p.skipSpace()
		m.Value = p.value(depth + 1)
		v.Members = append(v.Members, m)
		if p.separator('}') {
			return
		}
	}
}

func (p *parser) array(v *Value, depth int) {
	v.Kind = Array
	p.at++
	for p.skipSpace(); p.err == nil && !p.accept(']'); p.skipSpace() {
		v.Elements = append(v.Elements, p.value(depth+1))
		if p.separator(']') {
			return
		}
	}
}

// separator skips the comma after an item, or the end of the object or array, which
// it reports.
func (p *parser) separator(end byte) (ended bool) {
	p.skipSpace()
	if p.accept(',') {
		return false
	}
	if !p.accept(end) {
		p.fail("expected , or %c, found %s", end, p.found())
	}
	return true
}

// member returns the member of an object that counts: the last one with the key.
func (v *Value) member(key string) *Value {
	var found *Value
	for _, m := range v.Members {
		if m.Key == key {
			found = m.Value
		}
	}
	return found
}

// Lookup returns the value at a path of keys, or nil.
func (v *Value) Lookup(path ...string) *Value {
	for _, key := range path {
		if v == nil || v.Kind != Object {
			return nil
		}
		v = v.member(key)
	}
	return v
}

// Any returns the value as encoding/json would: map[string]any, []any, string,
// float64, bool or nil.
func (v *Value) Any() any {
	switch v.Kind {
	case Object:
		object := map[string]any{}
		for _, m := range v.Members {
			object[m.Key] = m.Value.Any()
		}
		return object
	case Array:
		list := []any{}
		for _, e := range v.Elements {
			list = append(list, e.Any())
		}
		return list
	case String:
		return v.text
	case Number:
		n, _ := parseNumber(v.text) // the parser has checked it
		return n
	case Boolean:
		return v.text == "true"
	}
	return nil
}
