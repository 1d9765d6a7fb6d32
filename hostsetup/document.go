package hostsetup

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/memory-tiered/memory"
)

// document is a configuration of the host: JSON with comments and trailing commas, as the
// host itself writes it. An edit keeps every other line and comment.
type document struct{ root hujson.Value }

func parseConfig(src []byte) (*document, error) {
	root, err := hujson.Parse(src)
	if err == nil && root.Value.Kind() != '{' {
		return nil, memory.Invalid("", "the configuration of OpenClaw is not an object").WithHint("correct the file first; openclaw doctor may help")
	}
	if err != nil {
		return nil, memory.Invalid("", "the configuration of OpenClaw cannot be edited: %v", err).
			WithHint("keys and texts need double quotes; openclaw config set KEY VALUE writes the whole file like that")
	}
	return &document{root}, nil
}

func (d *document) bytes() []byte { return d.root.Pack() }

// find returns the value at a path of keys with dots between them, or nil.
func (d *document) find(path string) *hujson.Value {
	return d.root.Find("/" + strings.ReplaceAll(path, ".", "/"))
}

// value returns the value at a path as encoding/json would; nil: there is none.
func (d *document) value(path string) (v any) {
	found := d.find(path)
	if found == nil {
		return nil
	}
	standard := found.Clone()
	standard.Minimize()
	if json.Unmarshal(standard.Pack(), &v) != nil {
		return nil
	}
	return v
}

// has reports whether the list at a path has a text.
func (d *document) has(path, text string) bool {
	list, _ := d.value(path).([]any)
	return slices.Contains(list, any(text))
}

// set gives the value at a path another value, and makes the objects on the way. It
// reports whether it could: a part of the path may be no object.
func (d *document) set(path string, value any) bool {
	at, keys := &d.root, strings.Split(path, ".")
	for i, key := range keys {
		object, ok := at.Value.(*hujson.Object)
		if !ok {
			return false
		}
		member := slices.IndexFunc(object.Members, func(m hujson.ObjectMember) bool { return isText(m.Name, key) })
		if member < 0 {
			m := hujson.ObjectMember{Name: hujson.Value{Value: hujson.String(key)}, Value: hujson.Value{BeforeExtra: hujson.Extra(" "), Value: &hujson.Object{}}}
			m.Name.BeforeExtra = newLine(&object.AfterExtra, i+1)
			member, object.Members = len(object.Members), append(object.Members, m)
		}
		at = &object.Members[member].Value
	}
	at.Value = valueOf(value)
	return true
}

// add adds a text to the list at a path, which it makes if necessary.
func (d *document) add(path, text string) bool {
	found := d.find(path)
	if found == nil {
		return d.set(path, []any{text})
	}
	list, ok := found.Value.(*hujson.Array)
	if ok {
		element := hujson.Value{Value: hujson.String(text)}
		if len(list.Elements) > 0 {
			element.BeforeExtra = list.Elements[len(list.Elements)-1].BeforeExtra
			if !bytes.ContainsRune(element.BeforeExtra, '\n') {
				element.BeforeExtra = hujson.Extra(" ")
			}
		}
		list.Elements = append(list.Elements, element)
	}
	return ok
}

// remove removes the member at a path, and the objects that are empty without it.
func (d *document) remove(path string) {
	for path != "" {
		parent := path[:max(0, strings.LastIndexByte(path, '.'))]
		at := &d.root
		if parent != "" {
			at = d.find(parent)
		}
		if at == nil {
			return
		}
		object, ok := at.Value.(*hujson.Object)
		if !ok {
			return
		}
		key := path[strings.LastIndexByte(path, '.')+1:]
		object.Members = slices.DeleteFunc(object.Members, func(m hujson.ObjectMember) bool { return isText(m.Name, key) })
		if len(object.Members) > 0 {
			return
		}
		path = parent
	}
}

// removeElement takes a text out of the list at a path. It removes a list that is empty then.
func (d *document) removeElement(path, text string) {
	found := d.find(path)
	if found == nil {
		return
	}
	if list, ok := found.Value.(*hujson.Array); ok {
		list.Elements = slices.DeleteFunc(list.Elements, func(e hujson.Value) bool { return isText(e, text) })
		if len(list.Elements) == 0 {
			d.remove(path)
		}
	}
}

func isText(v hujson.Value, text string) bool {
	literal, ok := v.Value.(hujson.Literal)
	return ok && literal.Kind() == '"' && literal.String() == text
}

// newLine returns the white space before a new member of an object. The comments that the
// object ends with stay before the member.
func newLine(end *hujson.Extra, depth int) hujson.Extra {
	const indent = "  " // as the host writes it
	before := strings.TrimRight(string(*end), " \t\r\n")
	*end = hujson.Extra("\n" + strings.Repeat(indent, depth-1))
	return hujson.Extra(before + "\n" + strings.Repeat(indent, depth))
}

// valueOf returns a bool, a text or a list of texts as a part of a document.
func valueOf(value any) hujson.ValueTrimmed {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // the callers pass only what JSON can hold
	}
	v, err := hujson.Parse(text)
	if err != nil {
		panic(err)
	}
	return v.Value
}

// revert takes changes back in a configuration that others have edited since. A value
// that is no longer ours stays; kept lists the paths of these.
func (d *document) revert(changes []Change) (kept []string) {
	d.remove(pluginEntry)
	for _, c := range slices.Backward(changes) {
		now := d.value(c.Path)
		switch {
		case now == nil: // gone already
		case c.Append:
			d.removeElement(c.Path, c.After.(string))
		case !reflect.DeepEqual(now, c.After):
			kept = append(kept, c.Path)
		case c.Before != nil:
			d.set(c.Path, c.Before)
		default:
			d.remove(c.Path)
		}
	}
	return kept
}
