package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
)

// Loaded is a configuration and where each of its values came from.
type Loaded struct {
	Config
	File    string            // the configuration file's path, there or not
	Sources map[string]string // key → "default", "config.yaml:12", "MEMORY_LOG_LEVEL", "--flag"
}

// Load reads defaults, then the file (which need not exist), then the
// environment ("NAME=value"). A mistake names the file and line, or the
// variable, and what to write instead.
func Load(file string, environ []string) (*Loaded, error) {
	l := &Loaded{File: file, Sources: map[string]string{}}
	l.setDefaults()
	if err := l.readFile(); err != nil {
		return nil, err
	}
	if err := l.readEnviron(environ); err != nil {
		return nil, err
	}
	return l, l.validate()
}

func (l *Loaded) setDefaults() {
	root := reflect.ValueOf(&l.Config).Elem()
	for _, k := range Keys() {
		l.Sources[k.Name] = "default"
		if k.Default == "" {
			continue
		}
		if err := k.assign(root.FieldByIndex(k.index), k.Default); err != nil {
			panic("config: the default of " + k.Name + ": " + err.Error()) // a bug that every run shows
		}
	}
}

func (l *Loaded) readFile() error {
	src, err := os.ReadFile(l.File)
	if errors.Is(err, os.ErrNotExist) || l.File == "" {
		return nil
	}
	if err != nil {
		return memory.Unavailable(err, "read the configuration")
	}
	decoder := yaml.NewDecoder(bytes.NewReader(src))
	decoder.KnownFields(true)
	if err := decoder.Decode(&l.Config); err != nil && !errors.Is(err, io.EOF) {
		return l.fault(err)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		return l.fault(err)
	}
	if len(doc.Content) > 0 {
		l.noteLines(doc.Content[0], "")
	}
	return nil
}

// noteLines remembers the line of every value that the file sets.
func (l *Loaded) noteLines(n *yaml.Node, prefix string) {
	for i := 0; i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
		name := prefix + n.Content[i].Value
		if n.Content[i+1].Kind == yaml.MappingNode {
			l.noteLines(n.Content[i+1], name+".")
		} else {
			l.Sources[name] = l.File + ":" + strconv.Itoa(n.Content[i].Line)
		}
	}
}

// unknownField is how the YAML library words a key that no struct has.
var unknownField = regexp.MustCompile(`line (\d+): field (\S+) not found in type`)

func (l *Loaded) fault(err error) error {
	if m := unknownField.FindStringSubmatch(err.Error()); m != nil {
		return memory.Invalid(m[2], "%s:%s: unknown key %q", l.File, m[1], m[2]).
			WithHint("every key is listed by: memory config")
	}
	return memory.Invalid("config", "%s: %s", l.File, strings.TrimPrefix(err.Error(), "yaml: ")).
		WithHint("mend the file, or move it away to run with the defaults")
}

func (l *Loaded) readEnviron(environ []string) error {
	byName := map[string]Key{}
	for _, k := range Keys() {
		byName[k.Env] = k
	}
	root := reflect.ValueOf(&l.Config).Elem()
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		k, ok := byName[name]
		if !ok || value == "" {
			continue
		}
		if err := k.assign(root.FieldByIndex(k.index), value); err != nil {
			return memory.Invalid(k.Name, "%s: %s", name, err)
		}
		l.Sources[k.Name] = name
	}
	return nil
}

func (l *Loaded) validate() error {
	root := reflect.ValueOf(&l.Config).Elem()
	for _, k := range Keys() {
		if err := k.check(root.FieldByIndex(k.index)); err != nil {
			return memory.Invalid(k.Name, "%s: %s: %s", l.Sources[k.Name], k.Name, err)
		}
	}
	for name, w := range l.Workspaces {
		if err := w.validate(name); err != nil {
			return err
		}
	}
	return nil
}

// workspaceName is what a workspace may be called: it is part of paths and keys.
var workspaceName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$`)

// CheckWorkspaceName refuses what cannot be part of a path or a key.
func CheckWorkspaceName(name string) error {
	if !workspaceName.MatchString(name) {
		return memory.Invalid("workspace", "%q cannot name a workspace", name).
			WithHint("letters, digits, - and _, at most 63 of them, beginning with a letter or digit")
	}
	return nil
}

func (w Workspace) validate(name string) error {
	if err := CheckWorkspaceName(name); err != nil {
		return err
	}
	key := "workspaces." + name
	if w.Path == "" {
		return memory.Invalid(key+".path", "%s.path is not set", key).WithHint("say which folder it is")
	}
	if w.Decisions != "" && w.Decisions != "frontmatter" && w.Decisions != "file" {
		return memory.Invalid(key+".decisions", "%s.decisions: %q is not one of: frontmatter, file", key, w.Decisions)
	}
	if _, err := w.Zone(); err != nil {
		return memory.Invalid(key+".timezone", "%s.timezone: unknown time zone %q", key, w.Timezone).
			WithHint("an IANA name, as Europe/Berlin")
	}
	for _, g := range w.Globs {
		if g.Glob == "" {
			return memory.Invalid(key+".globs", "%s.globs: a glob without a pattern", key)
		}
		if g.Tier == "" {
			continue
		}
		if _, err := memory.ParseTier(g.Tier); err != nil {
			return fmt.Errorf("%s.globs: %w", key, err)
		}
	}
	return nil
}

// Zone is the workspace's time zone: the system's where none is set.
func (w Workspace) Zone() (*time.Location, error) {
	if w.Timezone == "" {
		return time.Local, nil
	}
	return time.LoadLocation(w.Timezone)
}

// redacted is what may be shown of a secret: where it is kept, and that it is set.
func redacted(text string) string {
	if text == "" || strings.HasPrefix(text, "env:") || strings.HasPrefix(text, "file:") {
		return text
	}
	return "(set)"
}

// Reveal reads a secret where it is kept: env:NAME, file:PATH, or as it stands.
// An empty one is none.
func Reveal(key, text string, env func(string) string) (string, error) {
	if name, ok := strings.CutPrefix(text, "env:"); ok {
		value := strings.TrimSpace(env(name))
		if value == "" {
			return "", memory.Invalid(key, "%s names the variable %s, which is not set", key, name).
				WithHint("a service does not see the variables of your shell; file:PATH works everywhere")
		}
		return value, nil
	}
	if path, ok := strings.CutPrefix(text, "file:"); ok {
		src, err := os.ReadFile(path)
		if err != nil {
			return "", memory.Unavailable(err, "read %s", key).WithHint("it names the file %s", path)
		}
		return strings.TrimSpace(string(src)), nil
	}
	return text, nil
}

// Setting is one effective value.
type Setting struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Source string `json:"source"`
	Unit   string `json:"unit,omitempty"`
	Doc    string `json:"doc"`
}

// Settings lists every effective value with its source, workspaces last.
func (l *Loaded) Settings() []Setting {
	var out []Setting
	root := reflect.ValueOf(&l.Config).Elem()
	for _, k := range Keys() {
		value := root.FieldByIndex(k.index).Interface()
		if text, ok := value.(string); ok && k.Secret {
			value = redacted(text)
		}
		out = append(out, Setting{k.Name, value, l.Sources[k.Name], k.Unit, k.Doc})
	}
	for _, name := range l.WorkspaceNames() {
		w := reflect.ValueOf(l.Workspaces[name])
		for _, k := range WorkspaceKeys() {
			key := strings.Replace(k.Name, "NAME", name, 1)
			source, set := l.Sources[key]
			if !set {
				source = "default"
			}
			value := w.FieldByIndex(k.index).Interface()
			if value == "" {
				value = k.Default
			}
			out = append(out, Setting{key, value, source, k.Unit, k.Doc})
		}
	}
	return out
}
