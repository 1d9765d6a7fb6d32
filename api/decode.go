package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// maxBody limits a request's body, in bytes. It is a hundred times the longest
// text that may be stored, and little compared with what the service keeps in
// memory.
const maxBody = 1 << 20

// readBody reads a whole body of at most maxBody bytes. It refuses a body that
// announces more before it reads any of it.
func readBody(r *http.Request) ([]byte, error) {
	tooLarge := &httpError{memory.Invalid("", "the body is larger than %d bytes", maxBody).
		WithHint("the body of a request may have at most 1 MiB"), http.StatusRequestEntityTooLarge}
	if r.ContentLength > maxBody {
		return nil, tooLarge
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = errors.New("it took too long")
	}
	if err != nil {
		return nil, &httpError{memory.Invalid("", "the body did not arrive completely: %v", err).
			WithHint("send as many bytes as Content-Length announces, without a pause"), http.StatusBadRequest}
	}
	if len(body) > maxBody {
		return nil, tooLarge
	}
	return body, nil
}

// discardRest reads what is left of a refused body, as far as the time allows. Most
// clients write the whole request before they read. They see the error only if the
// server takes the rest.
func discardRest(r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }

// decodeBody reads one JSON object into the struct that into points to. A field
// that the struct does not have under exactly that name is an error, and so is
// a field that is given twice. A typing mistake never changes the request
// silently.
func decodeBody(body []byte, into any, required []string) error {
	fields := fieldsOf(reflect.TypeOf(into).Elem())
	if len(bytes.TrimSpace(body)) == 0 {
		return memory.Invalid("", "the body is empty").WithHint("send a JSON object; it may have the fields %s", joinNames(fields))
	}
	if !utf8.Valid(body) {
		return memory.Invalid("", "the body is not valid UTF-8").WithHint("JSON is UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	if opening, err := d.Token(); err != nil || opening != json.Delim('{') {
		return notAnObject(err)
	}
	seen, err := decodeFields(d, reflect.ValueOf(into).Elem(), fields)
	if err != nil {
		return err
	}
	if _, err := d.Token(); err != nil { // the closing brace
		return notAnObject(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return memory.Invalid("", "more text follows the JSON object").WithHint("send one JSON object, and nothing after it")
	}
	return checkRequired(required, seen)
}

func notAnObject(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return memory.Invalid("", "the body is not JSON: %v", err).WithHint("send one JSON object")
	}
	return memory.Invalid("", "the body is not a JSON object").WithHint("send one JSON object")
}

// decodeFields reads the names and values of an object whose opening brace has
// been read. It returns the names that have a value.
func decodeFields(d *json.Decoder, into reflect.Value, fields []field) (seen []string, err error) {
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, notAnObject(err)
		}
		name := key.(string) // the decoder accepts only strings as keys
		at := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		if at < 0 {
			return nil, unknownField(name, fields)
		}
		if slices.Contains(seen, name) {
			return nil, duplicateField(name)
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, notAnObject(err)
		}
		if string(raw) == "null" {
			continue // the same as leaving the field out
		}
		seen = append(seen, name)
		v := into.FieldByIndex(fields[at].index)
		if v.Kind() == reflect.Pointer && v.Type().Elem().Kind() == reflect.Struct {
			v.Set(reflect.New(v.Type().Elem()))
			if err := decodeBody(raw, v.Interface(), nil); err != nil {
				return nil, err
			}
			continue
		}
		if err := json.Unmarshal(raw, v.Addr().Interface()); err != nil {
			return nil, invalidValue(name, v.Type(), err)
		}
	}
	return seen, nil
}

func duplicateField(name string) error {
	return memory.Invalid(name, "%s is given twice", name).WithHint("give it once")
}

func checkRequired(required, seen []string) error {
	for _, name := range required {
		if !slices.Contains(seen, name) {
			return memory.Invalid(name, "%s is missing", name).WithHint("this request needs: %s", name)
		}
	}
	return nil
}

// decodeQuery reads a query string by the same rules as decodeBody reads a body.
// A list is a parameter that is repeated.
func decodeQuery(raw string, into any) error {
	v := reflect.ValueOf(into).Elem()
	fields := fieldsOf(v.Type())
	query, err := url.ParseQuery(raw)
	if err != nil {
		return memory.Invalid("", "the query cannot be read: %v", err)
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !slices.ContainsFunc(fields, func(f field) bool { return f.name == name }) {
			return unknownField(name, fields)
		}
	}
	for _, f := range fields {
		if values, ok := query[f.name]; ok {
			if err := setValues(v.FieldByIndex(f.index), f.name, values); err != nil {
				return err
			}
		}
	}
	return nil
}

func setValues(v reflect.Value, name string, values []string) error {
	for _, value := range values {
		if !utf8.ValidString(value) {
			return memory.Invalid(name, "%s is not valid UTF-8", name)
		}
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.ValueOf(values))
		return nil
	}
	if len(values) > 1 {
		return duplicateField(name)
	}
	if err := parseValue(v, values[0]); err != nil {
		return invalidValue(name, v.Type(), err)
	}
	return nil
}

// encodeQuery is the inverse of decodeQuery. It leaves out zero values.
func encodeQuery(request any) url.Values {
	query := url.Values{}
	v := reflect.ValueOf(request)
	for _, f := range fieldsOf(v.Type()) {
		value := v.FieldByIndex(f.index)
		if value.Kind() == reflect.Slice {
			for i := range value.Len() {
				query.Add(f.name, value.Index(i).String())
			}
		} else if text, ok := formatValue(value); ok {
			query.Set(f.name, text)
		}
	}
	return query
}

// decodePath stores the values of the path's variables in the fields that are
// tagged with their names.
func decodePath(pathValues map[string]string, into any) error {
	v := reflect.ValueOf(into).Elem()
	for i := range v.NumField() {
		name, ok := v.Type().Field(i).Tag.Lookup("path")
		if !ok {
			continue
		}
		if value := pathValues[name]; utf8.ValidString(value) {
			v.Field(i).SetString(value)
		} else {
			return memory.Invalid(name, "%s is not valid UTF-8", strconv.Quote(value))
		}
	}
	return nil
}
