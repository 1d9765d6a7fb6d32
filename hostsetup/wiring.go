package hostsetup

import (
	"bytes"
	"embed"
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/internal/textedit"
	"github.com/memory-tiered/memory/workspace"
)

// wiring is what the files of a client say about this program.
type wiring struct {
	ClientOptions
	server string
}

// defaultServer is the name of our server, and otherServer that where another one has it.
const (
	defaultServer = "memory"
	otherServer   = "memory-tiered"
)

//go:embed opencode.js
var contents embed.FS

// newWiring chooses the name of the server.
func newWiring(o ClientOptions) (*wiring, error) {
	w := &wiring{o, defaultServer}
	for _, f := range o.Client.Files {
		src, err := readFile(o.Env.file(f))
		if err != nil {
			return nil, err
		}
		d, err := w.open(f, src)
		if err != nil || d == nil {
			continue // the plan reports the error
		}
		for _, s := range f.Set {
			value := d.Value(w.path(s)...)
			if value != nil && strings.Contains(s.Key, "$server") && !w.isOurs(value, "mcp") && !reflect.DeepEqual(value, w.decoded(s)) {
				w.server = otherServer
			}
		}
	}
	return w, nil
}

// open parses a file; nil: the whole file is ours.
func (w *wiring) open(f clients.File, src []byte) (*textedit.Document, error) {
	if f.Content != "" {
		return nil, nil
	}
	return textedit.Open(textedit.Format(f.Format), src)
}

// wire returns a file with our entries.
func (w *wiring) wire(f clients.File, src []byte) ([]byte, error) {
	if f.Content != "" {
		return w.content(f)
	}
	d, err := w.open(f, src)
	if err != nil {
		return nil, err
	}
	for _, a := range f.Append {
		if err := w.append(d, a); err != nil {
			return nil, err
		}
	}
	for _, s := range f.Set {
		if err := d.Set(w.value(s), w.path(s)...); err != nil {
			return nil, err
		}
	}
	if out := d.Bytes(); !bytes.Equal(out, src) {
		return out, nil
	}
	return src, nil
}

// append adds an element to a list, or replaces ours. Others keep their positions.
func (w *wiring) append(d *textedit.Document, e clients.Entry) error {
	path, ours, value := w.path(e), w.ours(d, e), w.value(e)
	if len(ours) == 0 {
		return d.Append(value, path...)
	}
	for _, at := range slices.Backward(ours[1:]) {
		if err := d.Cut(at...); err != nil {
			return err
		}
	}
	var group struct{ Hooks []json.RawMessage }
	if err := json.Unmarshal(value, &group); err == nil && len(ours[0]) > len(path)+1 {
		value = group.Hooks[0]
	}
	return d.Set(value, ours[0]...)
}

// unwire returns a file without our entries, and without what is empty then.
func (w *wiring) unwire(f clients.File, src []byte) ([]byte, error) {
	d, err := w.open(f, src)
	if err != nil || d == nil {
		return nil, err
	}
	for _, a := range f.Append {
		for _, at := range slices.Backward(w.ours(d, a)) {
			if err := d.Cut(at...); err != nil {
				return nil, err
			}
		}
	}
	for _, s := range f.Set {
		if path := w.path(s); f.Format == string(textedit.Text) || w.isOurs(d.Value(path...), "mcp") {
			if err := d.Cut(path...); err != nil {
				return nil, err
			}
		}
	}
	return d.Bytes(), nil
}

// isWired reports whether a file has an entry of ours, and whether all of them are there
// as this program would write them.
func (w *wiring) isWired(f clients.File, src []byte) (some, all bool) {
	if src == nil {
		return false, false
	}
	wired, err := w.wire(f, src)
	all = err == nil && bytes.Equal(wired, src)
	unwired, err := w.unwire(f, src)
	return all || f.Content != "" && bytes.Contains(src, []byte(contentMark)) || err == nil && f.Content == "" && !bytes.Equal(unwired, src), all
}

// handlers is the key of the handlers in a group of hooks. A person may have written some
// beside ours.
const handlers = "hooks"

func handlersOf(element any) []any {
	group, _ := element.(map[string]any)
	all, _ := group[handlers].([]any)
	return all
}

// ours returns the paths of our elements in a list. In a group with handlers of others, these are
// the paths of our handlers.
func (w *wiring) ours(d *textedit.Document, e clients.Entry) (paths [][]string) {
	path := w.path(e)
	isOurs := func(v any) bool { return w.isOurs(v, "hook") }
	for i, element := range d.List(path...) {
		at := append(slices.Clone(path), strconv.Itoa(i))
		all := handlersOf(element)
		if !slices.ContainsFunc(all, func(h any) bool { return !isOurs(h) }) {
			if isOurs(element) {
				paths = append(paths, at)
			}
			continue
		}
		for k, h := range all {
			if isOurs(h) {
				paths = append(paths, append(slices.Clone(at), handlers, strconv.Itoa(k)))
			}
		}
	}
	return paths
}

// isOurs reports whether a value starts this program, in any folder, with a command: mcp,
// or hook for this client. A call of our server's hidden tool counts too.
func (w *wiring) isOurs(value any, command string) bool {
	all := wordsIn(value)
	isProgram := func(word string) bool {
		name := filepath.Base(strings.ReplaceAll(strings.Trim(word, `'"`), `\`, "/"))
		return strings.TrimSuffix(name, ".exe") == "memory"
	}
	if !slices.ContainsFunc(all, isProgram) && !slices.Contains(all, w.Program) && !slices.Contains(all, otherServer) {
		return false
	}
	return slices.Contains(all, command) && (command != "hook" || slices.Contains(all, w.Client.Name))
}

// wordsIn returns the words of all texts in a value.
func wordsIn(value any) (all []string) {
	switch v := value.(type) {
	case string:
		all = append(strings.Fields(v), v)
	case []any:
		for _, inner := range v {
			all = append(all, wordsIn(inner)...)
		}
	case map[string]any:
		for _, inner := range v {
			all = append(all, wordsIn(inner)...)
		}
	}
	return all
}

func (w *wiring) path(e clients.Entry) []string {
	return strings.Split(strings.ReplaceAll(e.Key, "$server", w.server), "/")
}

// value returns the value of an entry as JSON, in the order of the table.
func (w *wiring) value(e clients.Entry) []byte {
	path := w.path(e)
	line := workspace.ShellQuote(w.Program)
	for _, option := range w.Options {
		line += " " + workspace.ShellQuote(option)
	}
	names := strings.NewReplacer("$program", w.Program, "$line", line, "$client", w.Client.Name, "$event", path[len(path)-1], "$server", w.server)
	return w.render(e.Value, names)
}

func (w *wiring) decoded(e clients.Entry) (v any) {
	_ = json.Unmarshal(w.value(e), &v) // value made it
	return v
}

// render returns a part of the table as JSON.
func (w *wiring) render(node *yaml.Node, names *strings.Replacer) []byte {
	switch node.Kind {
	case yaml.AliasNode:
		return w.render(node.Alias, names)
	case yaml.MappingNode:
		var members [][]byte
		for pair := range slices.Chunk(node.Content, 2) {
			members = append(members, slices.Concat(asJSON(pair[0].Value), []byte(":"), w.render(pair[1], names)))
		}
		return slices.Concat([]byte("{"), bytes.Join(members, []byte(",")), []byte("}"))
	case yaml.SequenceNode:
		var elements [][]byte
		for _, element := range node.Content {
			if element.Value != "$options" {
				elements = append(elements, w.render(element, names))
				continue
			}
			for _, option := range w.Options {
				elements = append(elements, asJSON(option))
			}
		}
		return slices.Concat([]byte("["), bytes.Join(elements, []byte(",")), []byte("]"))
	}
	if node.Tag == "!!str" {
		return asJSON(names.Replace(node.Value))
	}
	return []byte(node.Value) // a number, true or false
}

// contentMark is in each file that is ours as a whole.
const contentMark = "written by: memory setup"

// content returns a file that is ours as a whole.
func (w *wiring) content(f clients.File) ([]byte, error) {
	src, err := contents.ReadFile(f.Content)
	command := append([]string{w.Program}, w.Options...)
	return bytes.Replace(src, []byte(`["memory"]`), asJSON(command), 1), err
}

func asJSON(v any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return []byte(strconv.Quote(err.Error())) // texts and lists of texts have no errors
	}
	return bytes.TrimSpace(out.Bytes())
}
