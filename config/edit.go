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
)

// Set changes one key of a configuration file and keeps every other line and
// comment. It quotes the value for YAML.
func Set(file, key, value string) error {
	return edit(file, []string{key}, func(d *document) error { return d.setKey(key, value) })
}

// Unset removes a key, or a whole workspace (workspaces.NAME), from the file. A key that is
// neither in the file nor of a setting is an error.
func Unset(file, key string) error {
	return edit(file, []string{key}, func(d *document) error {
		before := d.bytes()
		if err := d.unset(strings.Split(key, ".")); err != nil {
			return err
		}
		if _, isKey := KeyNamed(key); !isKey && bytes.Equal(before, d.bytes()) {
			return UnknownKey(key)
		}
		return nil
	})
}

// UnknownKey returns the error about a key of no setting. Its hint names the key that is
// probably meant.
func UnknownKey(key string) error {
	names := map[string]string{}
	for _, k := range Keys() {
		names[strings.ToLower(k.Name)] = k.Name
	}
	hint := "memory config --docs lists every key"
	if near := memory.SuggestKey(key, slices.Sorted(maps.Keys(names))); near != "" {
		hint = "did you mean " + names[near] + "? " + hint
	}
	return memory.Invalid("key", "unknown key %q", key).WithHint("%s", hint)
}

// Change is the new value of a key; an empty value removes the key.
type Change struct{ Key, Value string }

// SetAll changes several keys in one atomic write.
func SetAll(file string, changes []Change) error {
	var keys []string
	var steps []func(*document) error
	for _, c := range changes {
		keys = append(keys, c.Key)
		steps = append(steps, func(d *document) error {
			if c.Value == "" {
				return d.unset(strings.Split(c.Key, "."))
			}
			return d.setKey(c.Key, c.Value)
		})
	}
	return edit(file, keys, steps...)
}

// RenameWorkspace changes the name of a workspace in the file; other text stays.
func RenameWorkspace(file, from, to string) error {
	keys := []string{"workspaces." + from, "workspaces." + to}
	return edit(file, keys, func(d *document) error {
		if !d.rename(strings.Split(keys[0], "."), to) {
			return &memory.Error{Kind: memory.ErrNotFound, Field: "workspace", Message: "no workspace is named " + from}
		}
		return nil
	})
}

// edit changes a file in steps. It writes nothing unless the result is valid and the
// keys alone have other values.
func edit(file string, keys []string, steps ...func(*document) error) error {
	before, err := readConfiguration(file)
	if err != nil {
		return err
	}
	after := before
	for _, step := range steps {
		d, err := parseLines(after)
		var broken notYAML
		if errors.As(err, &broken) {
			return yamlError(file, broken.error)
		}
		if err == nil {
			err = step(d)
		}
		if err != nil {
			return err
		}
		after = d.bytes()
	}
	if bytes.Equal(before, after) {
		return nil
	}
	if err := checkEdit(file, before, after, keys); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return memory.Unavailable(err, "write the configuration")
	}
	err = atomicfile.WriteWith(file, 0o600, func(temporary *os.File) error {
		_, err := temporary.Write(after)
		return err
	})
	if err != nil {
		return memory.Unavailable(err, "write the configuration")
	}
	return nil
}

// checkEdit returns an error if an edited file is not valid. It also does if other keys
// have other values too, because they share a value by an anchor.
func checkEdit(file string, before, after []byte, keys []string) error {
	if _, err := parseLines(after); err != nil {
		return cannotEditError(keys[:1])
	}
	edited, err := parse(file, after, nil)
	if err != nil {
		return err
	}
	var others []string // an edit may make a file valid, which then had no values before
	if old, err := parse(file, before, nil); err == nil {
		others = Changed(&old.Config, &edited.Config)
	}
	for _, changed := range others {
		if !slices.ContainsFunc(keys, func(key string) bool { return changed == key || strings.HasPrefix(changed, key+".") }) {
			return cannotEditError(keys[:1])
		}
	}
	return nil
}

// notYAML is the YAML library's error about a configuration that cannot be edited.
type notYAML struct{ error }

// setKey gives a key the value that a person wrote.
func (d *document) setKey(key, value string) error {
	k, ok := KeyNamed(key)
	if !ok {
		return UnknownKey(key)
	}
	node, err := k.yaml(value)
	if err != nil {
		return err
	}
	return d.set(strings.Split(key, "."), node)
}

// yaml validates a value of the key, and returns it as YAML.
func (k Key) yaml(value string) (*yaml.Node, error) {
	field := reflect.New(k.fieldType()).Elem()
	if err := k.assign(field, value); err != nil {
		return nil, memory.Invalid(k.Name, "%s: %s", k.Name, err).WithHint("%s: %s", k.Name, k.Doc)
	}
	var n yaml.Node
	return &n, n.Encode(field.Interface())
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
