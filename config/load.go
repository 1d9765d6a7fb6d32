package config

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// Loaded is a configuration with the source of each value.
type Loaded struct {
	Config
	File    string            // path of the configuration file, which may be missing
	Sources map[string]string // key → "default", "config.yaml:12", "MEMORY_LOG_LEVEL", "--flag"
	Notes   []string          // about lines of the file that have no effect
}

// Load reads the defaults, the file (which may be missing), and the environment
// ("NAME=value"). An error names the file and line, or the variable, and the
// allowed values.
func Load(file string, environ []string) (*Loaded, error) {
	src, err := readConfiguration(file)
	if err != nil {
		return nil, err
	}
	return parse(file, src, environ)
}

// parse is [Load] for a file whose content is known.
func parse(file string, src []byte, environ []string) (*Loaded, error) {
	l := &Loaded{File: file, Sources: map[string]string{}}
	l.setDefaults()
	if err := l.readFile(src); err != nil {
		return nil, err
	}
	if err := l.readEnvironment(environ); err != nil {
		return nil, err
	}
	l.expandPaths(environ)
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
			panic("config: the default of " + k.Name + ": " + err.Error()) // a bug that every start of the program shows
		}
	}
}

func (l *Loaded) readFile(src []byte) error {
	doc, err := l.parseDocument(src)
	if err != nil || len(doc.Content) == 0 {
		return err
	}
	if err := l.checkTypes(doc.Content[0], reflect.TypeFor[Config](), ""); err != nil {
		return err
	}
	if err := doc.Decode(&l.Config); err != nil {
		return l.parseError(err)
	}
	l.noteLines(doc.Content[0], "")
	return nil
}

// parseDocument parses the only YAML document of the file. A second one is an error:
// the settings in it would have no effect.
func (l *Loaded) parseDocument(src []byte) (doc yaml.Node, err error) {
	decoder := yaml.NewDecoder(bytes.NewReader(src))
	if err := decoder.Decode(&doc); errors.Is(err, io.EOF) {
		return doc, nil
	} else if err != nil {
		return doc, l.parseError(err)
	}
	var second yaml.Node
	if err := decoder.Decode(&second); errors.Is(err, io.EOF) {
		return doc, nil
	} else if err != nil {
		return doc, l.parseError(err)
	}
	return doc, memory.Invalid("config", "%s:%d: a second YAML document begins here, and only one is read", l.File, second.Line).
		WithHint("remove the line --- that separates them, so that all keys are in one document")
}

// noteLines notes the line of every value in the file as its source.
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

// syntaxError matches the YAML library's error for a text that is not YAML.
var syntaxError = lazyregexp.New(`^yaml: line (\d+): (.*)$`)

func (l *Loaded) parseError(err error) error { return yamlError(l.File, err) }

// yamlError names the file and the line of an error of the YAML library, and a way out.
func yamlError(file string, err error) error {
	place, text := file, strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "unmarshal errors:\n  ")
	if m := syntaxError().FindStringSubmatch(err.Error()); m != nil {
		place, text = file+":"+m[1], m[2]
	}
	return memory.Invalid("config", "%s: this is not valid YAML: %s", place, text).
		WithHint("correct the file, or move it away to use the defaults")
}

// correctFile is the hint for an invalid value.
const correctFile = "correct the line, or remove it to use the default; memory config lists every key"

// Locate adds where a setting comes from to the error about it: the line of the file,
// or the variable. The setting is the field of the error.
func (l *Loaded) Locate(err error) error {
	known, ok := errors.AsType[*memory.Error](err)
	if !ok {
		return err
	}
	located := *known
	if !strings.Contains(located.Message, located.Field) {
		located.Message = located.Field + ": " + located.Message
	}
	if source := l.source(known.Field); source != "" {
		located.Message = source + ": " + located.Message
	}
	if located.Hint == "" {
		located.Hint = correctFile
	}
	return &located
}

// source returns where a key, or the first key of a group, was set; empty if it has
// its default.
func (l *Loaded) source(key string) string {
	if s, ok := l.Sources[key]; ok && s != "default" {
		return s
	}
	for _, k := range Keys() {
		if s := l.Sources[k.Name]; strings.HasPrefix(k.Name, key+".") && s != "default" {
			return s
		}
	}
	return ""
}

func (l *Loaded) readEnvironment(environ []string) error {
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
			return memory.Invalid(k.Name, "%s: %s: %s", name, k.Name, err).
				WithHint("correct the environment variable %s, or unset it to use the default", name)
		}
		l.Sources[k.Name] = name
	}
	return nil
}

func (l *Loaded) validate() error {
	root := reflect.ValueOf(&l.Config).Elem()
	for _, k := range Keys() {
		if err := k.validate(root.FieldByIndex(k.index)); err != nil {
			return memory.Invalid(k.Name, "%s: %s: %s", l.Sources[k.Name], k.Name, err).WithHint(correctFile)
		}
	}
	if err := l.checkIdentities(); err != nil {
		return err
	}
	for name, w := range l.Workspaces {
		if err := w.validate(name); err != nil {
			return l.Locate(err)
		}
	}
	return nil
}

// Setting is one value with its key and source.
type Setting struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Source string `json:"source"`
	Unit   string `json:"unit,omitempty"`
	Doc    string `json:"doc"`

	DependsOn string `json:"depends_on,omitempty"` // as in [Key]
}

// Settings lists every value with its source. Secrets are masked. The settings of
// the workspaces come last.
func (l *Loaded) Settings() []Setting {
	var out []Setting
	root := reflect.ValueOf(&l.Config).Elem()
	for _, k := range Keys() {
		value := root.FieldByIndex(k.index).Interface()
		if text, ok := value.(string); ok && k.Secret {
			value = maskSecret(text)
		}
		out = append(out, Setting{k.Name, value, l.Sources[k.Name], k.Unit, k.Doc, k.DependsOn})
	}
	out = append(out, l.identitySettings()...)
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
			out = append(out, Setting{key, value, source, k.Unit, k.Doc, k.DependsOn})
		}
	}
	return out
}
