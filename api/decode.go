package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// maxBody is what a request's body may hold: a hundred times the longest text
// that may be stored, and little beside what the daemon holds anyway.
const maxBody = 1 << 20

// readBody reads a whole body of at most maxBody bytes.
func readBody(r *http.Request) ([]byte, error) {
	tooLarge := &httpError{memory.Invalid("", "the body is larger than %d bytes", maxBody).
		WithHint("a request's body holds at most 1 MiB"), http.StatusRequestEntityTooLarge}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return nil, memory.Invalid("", "the body did not arrive whole: %v", err).WithHint("send all that Content-Length promises, at once")
	}
	if len(body) <= maxBody {
		return body, nil
	}
	// Most clients write all before they read: they get to see the refusal only if
	// the rest is taken, while there is time. The refusal is the answer, however
	// that ends.
	_, _ = io.Copy(io.Discard, r.Body)
	return nil, tooLarge
}

// decodeBody reads one JSON object into the struct that into points to. A field
// that the struct does not have, under exactly that name, is an error, as is
// one given twice: a typing mistake never silently changes what is asked.
func decodeBody(body []byte, into any, required []string) error {
	fields := fieldsOf(reflect.TypeOf(into).Elem())
	if len(bytes.TrimSpace(body)) == 0 {
		return memory.Invalid("", "the body is empty").WithHint("send a JSON object; it may hold: %s", names(fields))
	}
	if !utf8.Valid(body) {
		return memory.Invalid("", "the body is not valid UTF-8").WithHint("JSON is UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	if opening, err := d.Token(); err != nil || opening != json.Delim('{') {
		return noObject(err)
	}
	seen, err := decodeFields(d, reflect.ValueOf(into).Elem(), fields)
	if err != nil {
		return err
	}
	if _, err := d.Token(); err != nil { // the closing brace
		return noObject(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return memory.Invalid("", "something follows the JSON object").WithHint("send one JSON object and nothing after it")
	}
	return require(required, seen)
}

func noObject(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return memory.Invalid("", "the body is not JSON: %v", err).WithHint("send one JSON object")
	}
	return memory.Invalid("", "the body is no JSON object").WithHint("send one JSON object")
}

// decodeFields reads the names and values of an object that has been opened,
// and says which of them were given.
func decodeFields(d *json.Decoder, into reflect.Value, fields []field) (seen []string, err error) {
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, noObject(err)
		}
		name := key.(string) // the decoder lets nothing else stand here
		at := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		if at < 0 {
			return nil, unknownField(name, fields)
		}
		if slices.Contains(seen, name) {
			return nil, givenTwice(name)
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, noObject(err)
		}
		if string(raw) == "null" {
			continue // the same as not saying it
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
			return nil, misread(name, v.Type(), err)
		}
	}
	return seen, nil
}

func givenTwice(name string) error {
	return memory.Invalid(name, "%s is given twice", name).WithHint("say it once")
}

func require(required, seen []string) error {
	for _, name := range required {
		if !slices.Contains(seen, name) {
			return memory.Invalid(name, "%s is missing", name).WithHint("this request needs: %s", name)
		}
	}
	return nil
}

// decodeQuery reads a query string as decodeBody reads a body. Lists are
// parameters that are repeated.
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
		return givenTwice(name)
	}
	if err := setText(v, values[0]); err != nil {
		return misread(name, v.Type(), err)
	}
	return nil
}

// encodeQuery is the opposite of decodeQuery: what is zero is left out.
func encodeQuery(request any) url.Values {
	query := url.Values{}
	v := reflect.ValueOf(request)
	for _, f := range fieldsOf(v.Type()) {
		part := v.FieldByIndex(f.index)
		if part.Kind() == reflect.Slice {
			for i := range part.Len() {
				query.Add(f.name, part.Index(i).String())
			}
		} else if value, ok := text(part); ok {
			query.Set(f.name, value)
		}
	}
	return query
}

// decodePath puts the parts of the path that stand for something into the
// fields that are tagged with their names.
func decodePath(parts map[string]string, into any) error {
	v := reflect.ValueOf(into).Elem()
	for i := range v.NumField() {
		name, ok := v.Type().Field(i).Tag.Lookup("path")
		if !ok {
			continue
		}
		if part := parts[name]; utf8.ValidString(part) {
			v.Field(i).SetString(part)
		} else {
			return memory.Invalid(name, "%s is not valid UTF-8", strconv.Quote(part))
		}
	}
	return nil
}
