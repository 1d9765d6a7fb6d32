package config

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/internal/textedit"
)

// Set changes one key of a configuration file and keeps every other line and
// comment. It quotes the value for YAML.
func Set(file, key, value string) error {
	return edit(file, key, func(d *textedit.Document) error { return setKey(d, key, value) })
}

// Unset removes a key, or a whole workspace (workspaces.NAME), from the file. A key that is
// neither in the file nor of a setting is an error.
func Unset(file, key string) error {
	return edit(file, key, func(d *textedit.Document) error {
		if _, isKey := KeyNamed(key); !isKey && d.Value(partsOf(key)...) == nil {
			return UnknownKey(key)
		}
		return d.Cut(partsOf(key)...)
	})
}

func partsOf(key string) []string { return strings.Split(key, ".") }

// UnknownKey returns the error about a key of no setting. Its hint names the key that is
// probably meant.
func UnknownKey(key string) error {
	names := map[string]string{}
	for _, k := range Keys() {
		names[strings.ToLower(k.Name)] = k.Name
	}
	hint := "memory config lists every key"
	if near := memory.SuggestKey(key, slices.Sorted(maps.Keys(names))); near != "" {
		hint = "did you mean " + names[near] + "? " + hint
	}
	return memory.Invalid("key", "unknown key %q", key).WithHint("%s", hint)
}

// Change is the new value of a key; an empty value removes the key.
type Change struct{ Key, Value string }

// SetAll changes several keys in one atomic write.
func SetAll(file string, changes []Change) error {
	var steps []func(*textedit.Document) error
	for _, c := range changes {
		steps = append(steps, func(d *textedit.Document) error {
			if c.Value == "" {
				return d.Cut(partsOf(c.Key)...)
			}
			return setKey(d, c.Key, c.Value)
		})
	}
	return edit(file, changes[0].Key, steps...)
}

// RenameWorkspace changes the name of a workspace in the file; other text stays.
func RenameWorkspace(file, from, to string) error {
	key := "workspaces." + from
	return edit(file, key, func(d *textedit.Document) error {
		if d.Value(partsOf(key)...) == nil {
			return &memory.Error{Kind: memory.ErrNotFound, Field: "workspace", Message: "no workspace is named " + from}
		}
		return d.Rename(to, partsOf(key)...)
	})
}

// edit changes a file in steps. It writes nothing unless the result is valid. An error about
// the form of the file names a key.
func edit(file, key string, steps ...func(*textedit.Document) error) error {
	before, err := readConfiguration(file)
	if err == nil {
		_, err = (&Loaded{File: file}).parseDocument(before)
	}
	if err != nil {
		return err
	}
	d, err := textedit.Open(textedit.YAML, before)
	for _, step := range steps {
		if err == nil {
			err = step(d)
		}
	}
	if errors.Is(err, memory.ErrConflict) {
		return memory.Conflict("the key %s cannot be set by command: its lines in the file are shared, or have a form such as {a: 1}", key).
			WithHint("edit config.yaml by hand; memory config shows the values")
	}
	if err != nil || bytes.Equal(before, d.Bytes()) {
		return err
	}
	if _, err := parse(file, d.Bytes(), nil); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return memory.Unavailable(err, "write the configuration")
	}
	if err := atomicfile.Write(file, d.Bytes(), 0o600); err != nil {
		return memory.Unavailable(err, "write the configuration")
	}
	return nil
}

// setKey gives a key the value that a person wrote.
func setKey(d *textedit.Document, key, value string) error {
	k, ok := KeyNamed(key)
	if !ok {
		return UnknownKey(key)
	}
	field := reflect.New(k.fieldType()).Elem()
	if err := k.assign(field, value); err != nil {
		return memory.Invalid(k.Name, "%s: %s", k.Name, err).WithHint("%s: %s", k.Name, k.Doc)
	}
	return setValue(d, key, field.Interface())
}

func setValue(d *textedit.Document, key string, value any) error {
	text, err := yaml.Marshal(value)
	if err != nil {
		return err
	}
	return d.Set(text, partsOf(key)...)
}

func (k Key) fieldType() reflect.Type {
	switch {
	case strings.HasPrefix(k.Name, identityPrefix):
		return reflect.TypeFor[Words]()
	case strings.HasPrefix(k.Name, "workspaces."):
		return reflect.TypeFor[Workspace]().FieldByIndex(k.index).Type
	}
	return reflect.TypeFor[Config]().FieldByIndex(k.index).Type
}
