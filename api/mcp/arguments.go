package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/memory-tiered/memory"
)

// field is one argument of a tool.
type field struct {
	name        string
	kind        string // the type in the JSON schema: string, integer or boolean
	description string
	required    bool
	words       []string // the known values; nil: any
	aliases     []string // other names that models use for it
}

// schema returns the JSON schema of a tool's arguments. It lists the preferred form of
// each; readArguments accepts more.
func schema(fields []field) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, f := range fields {
		p := map[string]any{"type": f.kind, "description": f.description}
		if f.words != nil {
			p["enum"] = f.words
		}
		if properties[f.name] = p; f.required {
			required = append(required, f.name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

// arguments are the values that a model gave, by the names of the fields.
type arguments struct {
	values map[string]string
	notes  []string // what was ignored
}

// readArguments reads what models send for a schema. That is also numbers as text, null for
// nothing, camel case, aliases, and an object as a text. It ignores unknown fields with a
// note.
func readArguments(raw json.RawMessage, fields []field) (arguments, error) {
	read := arguments{values: map[string]string{}}
	given, err := readObject(raw)
	if err != nil {
		return read, err
	}
	for name, value := range given {
		f := findField(fields, name)
		switch text := textOf(value); {
		case f == nil:
			read.notes = append(read.notes, "unknown argument "+name+" is ignored")
		case text != "" && (read.values[f.name] == "" || name == f.name):
			read.values[f.name] = text
		}
	}
	for _, f := range fields {
		if f.required && read.values[f.name] == "" {
			return read, memory.Invalid(f.name, "the argument %s is missing", f.name).WithHint("%s: %s", f.name, f.description)
		}
	}
	return read, nil
}

// readObject reads a JSON object, also one inside of a JSON string.
func readObject(raw json.RawMessage) (map[string]any, error) {
	var inString string
	if json.Unmarshal(raw, &inString) == nil {
		raw = json.RawMessage(inString)
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, nil
	}
	var object map[string]any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&object); err != nil {
		return nil, memory.Invalid("", "the arguments are not a JSON object").WithHint(`send {"name": "value"}`)
	}
	return object, nil
}

func findField(fields []field, name string) *field {
	for i, f := range fields {
		for _, known := range append([]string{f.name}, f.aliases...) {
			if plainName(known) == plainName(name) {
				return &fields[i]
			}
		}
	}
	return nil
}

// plainName removes what differs between max_tokens, max-tokens and maxTokens.
func plainName(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// textOf returns a value as text: lists by their texts, one a line, and null as "".
func textOf(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return strings.TrimSpace(v)
	case []any:
		var lines []string
		for _, each := range v {
			lines = append(lines, textOf(each))
		}
		return strings.Join(lines, "\n")
	}
	return fmt.Sprint(value)
}

// text returns the value of a field; "" where none is given.
func (a *arguments) text(name string) string { return a.values[name] }

// number returns the whole number in a field, nil where none is given.
func (a *arguments) number(name string) *int {
	text := a.values[name]
	if text == "" {
		return nil
	}
	value, err := strconv.ParseFloat(text, 64)
	if isInRange := value >= 1 && value <= 1e6; err != nil || !isInRange { // NaN is not
		a.notes = append(a.notes, fmt.Sprintf("%s %q is not a number from 1 and is ignored", name, text))
		return nil
	}
	whole := int(value)
	return &whole
}

// word returns the value of a field that has known words; "" where none is given.
func word[W any](a *arguments, name string, parse func(string) (W, error)) (known W) {
	text := a.values[name]
	if text == "" {
		return known
	}
	known, err := parse(text)
	if err != nil {
		a.notes = append(a.notes, err.Error()+" is ignored")
	}
	return known
}
