package api_test

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/internal/must"
)

// People write the document by hand, for people. These tests build its formal
// part from the routes and the Go types, and compare the two.

func TestOpenAPIMatchesTheRoutes(t *testing.T) {
	document := parseDocument(t)
	want := newSchemas()
	paths := map[string]any{}
	for _, r := range api.Routes() {
		item, _ := paths[r.Path].(map[string]any)
		if item == nil {
			item = map[string]any{}
			paths[r.Path] = item
		}
		item[strings.ToLower(r.Method)] = want.operation(r)
	}
	want.of(api.FailureBody)
	documented := document["components"].(map[string]any)["schemas"]
	compareJSON(t, "paths", withoutProse(document["paths"]), asYAML(paths))
	compareJSON(t, "schemas", withoutProse(documented), asYAML(want.components))
}

func TestOpenAPIDescribesEveryField(t *testing.T) {
	document := parseDocument(t)
	for path, item := range document["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			op := op.(map[string]any)
			if op["summary"] == nil {
				t.Errorf("%s %s has no summary", method, path)
			}
			parameters, _ := op["parameters"].([]any)
			for _, p := range parameters {
				if p := p.(map[string]any); p["description"] == nil {
					t.Errorf("%s %s: parameter %s has no description", method, path, p["name"])
				}
			}
		}
	}
	for name, schema := range document["components"].(map[string]any)["schemas"].(map[string]any) {
		requireDescriptions(t, name, schema)
	}
}

// requireDescriptions reports properties without a description.
func requireDescriptions(t *testing.T, at string, schema any) {
	t.Helper()
	s, ok := schema.(map[string]any)
	if !ok {
		return
	}
	properties, _ := s["properties"].(map[string]any)
	for name, p := range properties {
		if p.(map[string]any)["description"] == nil {
			t.Errorf("%s.%s has no description", at, name)
		}
		requireDescriptions(t, at+"."+name, p)
	}
	parts, _ := s["allOf"].([]any)
	for _, part := range parts {
		requireDescriptions(t, at, part)
	}
}

// publishedNames maps Go types to the schema names that the document was first
// published with. They stay, because clients may be generated from them.
var publishedNames = map[string]string{
	"CheckedPlace":    "Checked",
	"FailureBody":     "Failed",
	"InjectedID":      "Given",
	"ReceiptFilters":  "Asked",
	"ReceiptMemory":   "Told",
	"ScoredID":        "Scored",
	"UnchangedMemory": "Kept",
}

func parseDocument(t *testing.T) map[string]any {
	t.Helper()
	var document map[string]any
	must.Do(t, yaml.Unmarshal(api.OpenAPI(), &document))
	if document["openapi"] != "3.1.0" {
		t.Errorf("openapi: %v", document["openapi"])
	}
	return document
}

// proseKeys are the keys that explain a schema and do not restrict it.
var proseKeys = []string{"description", "summary", "examples", "default", "minimum", "maximum",
	"minLength", "maxLength", "exclusiveMinimum"}

// withoutProse returns a part of the document without the proseKeys.
func withoutProse(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, value := range v {
			// The keys under properties are names, and a property could be called
			// "description". "default" is also the name of a response.
			if key == "properties" {
				named := map[string]any{}
				for name, p := range value.(map[string]any) {
					named[name] = withoutProse(p)
				}
				out[key] = named
			} else if _, response := value.(map[string]any); !slices.Contains(proseKeys, key) || response {
				out[key] = withoutProse(value)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = withoutProse(v[i])
		}
		return out
	}
	return v
}

// asYAML converts a Go value into the types that the YAML decoder returns.
func asYAML(v any) any {
	src, err := yaml.Marshal(v)
	if err != nil {
		panic(err)
	}
	var out any
	if err := yaml.Unmarshal(src, &out); err != nil {
		panic(err)
	}
	return out
}

// compareJSON reports each place where two documents differ.
func compareJSON(t *testing.T, at string, document, routes any) {
	t.Helper()
	d, dok := document.(map[string]any)
	s, sok := routes.(map[string]any)
	if !dok || !sok {
		if !reflect.DeepEqual(document, routes) {
			t.Errorf("%s: the document has %v, the routes have %v", at, document, routes)
		}
		return
	}
	keys := maps.Clone(d)
	maps.Copy(keys, s)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		switch {
		case d[key] == nil:
			t.Errorf("%s/%s is in the routes and not in the document: %v", at, key, s[key])
		case s[key] == nil:
			t.Errorf("%s/%s is in the document and not in the routes", at, key)
		default:
			compareJSON(t, at+"/"+key, d[key], s[key])
		}
	}
}

// schemas builds the schemas of Go types.
type schemas struct{ components map[string]any }

func newSchemas() *schemas { return &schemas{map[string]any{}} }

func (s *schemas) operation(r api.Route) map[string]any {
	ok := map[string]any{"content": s.content(r)}
	op := map[string]any{"operationId": operationID(r),
		"responses": map[string]any{"200": ok, "default": map[string]any{"$ref": "#/components/responses/Failure"}}}
	if p := s.parameters(r); len(p) > 0 {
		op["parameters"] = p
	}
	if r.InBody {
		op["requestBody"] = map[string]any{"required": true,
			"content": map[string]any{"application/json": map[string]any{"schema": s.body(r)}}}
	}
	if r.Upload {
		op["requestBody"] = map[string]any{"required": true, "content": linesOfJSON}
	}
	return op
}

// linesOfJSON is the content of an export.
var linesOfJSON = map[string]any{"application/x-ndjson": map[string]any{"schema": map[string]any{"type": "string"}}}

func operationID(r api.Route) string {
	id := strings.ToLower(r.Method)
	for _, part := range strings.FieldsFunc(strings.TrimPrefix(r.Path, "/v1"), func(c rune) bool { return strings.ContainsRune("/{}.-", c) }) {
		id += strings.ToUpper(part[:1]) + part[1:]
	}
	return id
}

func (s *schemas) content(r api.Route) map[string]any {
	switch r.Path {
	case "/v1/openapi.yaml":
		return map[string]any{"application/yaml": map[string]any{"schema": map[string]any{"type": "string"}}}
	case "/metrics":
		return map[string]any{"text/plain": map[string]any{"schema": map[string]any{"type": "string"}}}
	}
	if r.Lines {
		return linesOfJSON
	}
	content := map[string]any{"application/json": map[string]any{"schema": s.of(r.Answer)}}
	if r.Events {
		s.of(reflect.TypeFor[memory.Progress]())
		content["text/event-stream"] = map[string]any{"schema": map[string]any{"type": "string"}}
	}
	return content
}

func (s *schemas) parameters(r api.Route) []any {
	var all []any
	for _, f := range reflect.VisibleFields(r.Request) {
		if name := f.Tag.Get("path"); name != "" {
			all = append(all, map[string]any{"name": name, "in": "path", "required": true, "schema": s.of(f.Type)})
		}
	}
	if r.InBody {
		return all
	}
	for _, f := range wireFields(r.Request) {
		all = append(all, map[string]any{"name": f.name, "in": "query", "schema": s.of(withoutPointer(f.Type))})
	}
	return all
}

// body returns the schema of a request. It allows no other fields.
func (s *schemas) body(r api.Route) map[string]any {
	properties := map[string]any{}
	for _, f := range wireFields(r.Request) {
		properties[f.name] = s.of(withoutPointer(f.Type))
	}
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(r.Required) > 0 {
		schema["required"] = r.Required
	}
	return s.name(r.Request, schema)
}

type wireField struct {
	reflect.StructField
	name     string
	optional bool
}

// wireFields lists the fields with a JSON name, those of embedded structs
// included.
func wireFields(t reflect.Type) []wireField {
	var fields []wireField
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.Anonymous && name != "" && name != "-" {
			fields = append(fields, wireField{f, name, strings.Contains(options, "omitempty")})
		}
	}
	return fields
}

func withoutPointer(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

func (s *schemas) name(t reflect.Type, schema any) map[string]any {
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	if published, renamed := publishedNames[name]; renamed {
		name = published
	}
	s.components[name] = schema
	return map[string]any{"$ref": "#/components/schemas/" + name}
}

func (s *schemas) of(t reflect.Type) map[string]any {
	if t == reflect.TypeFor[time.Time]() {
		return map[string]any{"type": "string", "format": "date-time"}
	}
	if t == reflect.TypeFor[json.RawMessage]() {
		return map[string]any{"type": "object", "additionalProperties": true}
	}
	if words := enum(t); words != nil {
		return s.name(t, map[string]any{"type": "string", "enum": words})
	}
	switch t.Kind() {
	case reflect.Pointer:
		inner := s.of(t.Elem())
		if inner["$ref"] != nil {
			return map[string]any{"anyOf": []any{inner, map[string]any{"type": "null"}}}
		}
		inner["type"] = []any{inner["type"], "null"}
		return inner
	case reflect.Slice:
		return map[string]any{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		if t.Elem().Kind() == reflect.Interface { // any fields, or null
			return map[string]any{"type": []any{"object", "null"}, "additionalProperties": true}
		}
		return map[string]any{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		return s.name(t, s.object(t))
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	}
	panic(fmt.Sprintf("no schema for %s", t))
}

// object returns the schema of an answer. Fields that are always present are
// required. Later versions may add fields, so clients must accept others.
func (s *schemas) object(t reflect.Type) map[string]any {
	properties, required, embedded := map[string]any{}, []string{}, []any{}
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous {
			embedded = append(embedded, s.of(f.Type))
		}
	}
	for _, f := range wireFields(t) {
		if len(f.Index) > 1 {
			continue // belongs to an embedded struct
		}
		properties[f.name] = s.of(f.Type)
		if !f.optional {
			required = append(required, f.name)
		}
	}
	schema := map[string]any{"type": "object", "properties": properties, "required": required}
	if len(embedded) > 0 {
		return map[string]any{"allOf": append(embedded, schema)}
	}
	return schema
}

// enum returns the values of a type with a fixed list of values.
func enum(t reflect.Type) []string {
	for _, words := range []any{memory.Tiers, memory.Types, memory.Categories, memory.TrustTiers,
		memory.ImportanceLabels, memory.Sources, memory.Lanes, memory.Audiences, memory.Actions, memory.ReviewKinds, memory.ReviewActions, memory.Verdicts} {
		v := reflect.ValueOf(words)
		if v.Type().Elem() != t {
			continue
		}
		var all []string
		for i := range v.Len() {
			all = append(all, v.Index(i).String())
		}
		return all
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		panic(fmt.Sprintf("%s has a fixed list of values: add it to enum", t))
	}
	return nil
}

func TestProtocolPageListsEveryRoute(t *testing.T) {
	src := must.Get(os.ReadFile("../docs/protocol.md"))(t)
	for _, r := range api.Routes() {
		if row := "| `" + r.Method + " " + r.Path + "` |"; !strings.Contains(string(src), row) {
			t.Errorf("%s %s is not in docs/protocol.md", r.Method, r.Path)
		}
	}
}
