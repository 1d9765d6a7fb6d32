package api

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/memory-tiered/memory"
)

// field is one field of a request: its JSON name and its index in the struct.
type field struct {
	name  string
	index []int
}

// knownFields holds the results of fieldsOf: a search would take a twentieth of its time to
// list the fields of its request again.
var knownFields sync.Map // of []field, by reflect.Type

// fieldsOf lists the fields of a request struct that come from a body or a
// query. These are the fields with a json name, also those of embedded
// structs. The names are exact.
func fieldsOf(t reflect.Type) []field {
	if known, ok := knownFields.Load(t); ok {
		return known.([]field)
	}
	var fields []field
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" || name == "-" {
			continue
		}
		fields = append(fields, field{name, f.Index})
	}
	knownFields.Store(t, fields)
	return fields
}

func joinNames(fields []field) string {
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

func unknownField(name string, fields []field) error {
	known := "this request has no fields"
	if len(fields) > 0 {
		known = "known are: " + joinNames(fields)
	}
	return memory.Invalid(name, "unknown field %q", name).WithHint("%s", known)
}

// invalidValue returns the error of a value that its field does not take.
func invalidValue(name string, t reflect.Type, err error) error {
	if detail, ok := errors.AsType[*memory.Error](err); ok {
		return &memory.Error{Kind: memory.ErrInvalid, Message: detail.Message, Hint: detail.Hint, Field: name}
	}
	wrongType, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return memory.Invalid(name, "%s cannot be read: %v", name, err).WithHint("%s must be %s", name, describeType(t))
	}
	return memory.Invalid(name, "%s must be %s, not %s", name, describeType(t), wrongType.Value).
		WithHint("docs/protocol.md lists the fields of each request")
}

// describeType names a type for people.
func describeType(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		return describeType(t.Elem())
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
		return "a list, each element " + describeType(t.Elem())
	}
	return "a JSON value"
}

// parseValue sets a field from its text in a query.
func parseValue(v reflect.Value, text string) error {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		return parseValue(v.Elem(), text)
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
			return fmt.Errorf("%q is not a whole number", text)
		}
		v.SetInt(int64(n))
	default:
		return fmt.Errorf("a query cannot hold a %s", v.Kind())
	}
	return nil
}

// formatValue is the inverse of parseValue. A zero value has no text.
func formatValue(v reflect.Value) (string, bool) {
	if v.IsZero() {
		return "", false
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return fmt.Sprint(v.Interface()), true
}
