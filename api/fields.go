package api

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/memory-tiered/memory"
)

// field is one field of a request: its name on the wire and its place in the
// struct.
type field struct {
	name  string
	index []int
}

// fieldsOf lists what a request struct reads from a body or a query: the fields
// with a json name, embedded structs' among them. The names are exact.
func fieldsOf(t reflect.Type) []field {
	var fields []field
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" || name == "-" {
			continue
		}
		fields = append(fields, field{name, f.Index})
	}
	return fields
}

func names(fields []field) string {
	var all []string
	for _, f := range fields {
		all = append(all, f.name)
	}
	return strings.Join(all, ", ")
}

func unknownField(name string, fields []field) error {
	known := "this request takes none"
	if len(fields) > 0 {
		known = "known are: " + names(fields)
	}
	return memory.Invalid(name, "unknown field %q", name).WithHint("%s", known)
}

// misread says that a value of a field is not what the field takes.
func misread(name string, t reflect.Type, err error) error {
	if said := (*memory.Error)(nil); errors.As(err, &said) {
		return &memory.Error{Kind: memory.ErrInvalid, Message: said.Message, Hint: said.Hint, Field: name}
	}
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return memory.Invalid(name, "%s cannot be read: %v", name, err).WithHint("%s is %s", name, plain(t))
	}
	return memory.Invalid(name, "%s is %s, not %s", name, plain(t), wrong.Value)
}

// plain is a type in words for people.
func plain(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		return plain(t.Elem())
	}
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "a list, each part " + plain(t.Elem())
	}
	return "a JSON value"
}

// setText reads a field's value from the text that a query or a path holds.
func setText(v reflect.Value, text string) error {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		return setText(v.Elem(), text)
	}
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		b, ok := map[string]bool{"true": true, "1": true, "false": false, "0": false}[text]
		if !ok {
			return fmt.Errorf("%q is neither true nor false", text)
		}
		v.SetBool(b)
	case reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%q is no whole number", text)
		}
		v.SetInt(int64(n))
	default:
		return fmt.Errorf("a %s cannot stand in a query", v.Kind())
	}
	return nil
}

// text is the opposite of setText; a zero value has none.
func text(v reflect.Value) (string, bool) {
	if v.IsZero() {
		return "", false
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return fmt.Sprint(v.Interface()), true
}
