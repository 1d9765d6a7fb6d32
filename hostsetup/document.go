package hostsetup

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/textedit"
)

// document is a configuration of OpenClaw. Its paths are keys with dots between them, as
// the host's commands take them.
type document struct{ *textedit.Document }

func parseConfig(src []byte) (*document, error) {
	if strings.TrimSpace(string(src)) == "" {
		return nil, memory.Invalid("", "the configuration of OpenClaw cannot be edited: it is empty").WithHint("correct the file first; openclaw doctor may help")
	}
	d, err := textedit.Open(textedit.JSON, src)
	if err != nil {
		return nil, memory.Invalid("", "the configuration of OpenClaw: %v", err).
			WithHint("keys and texts need double quotes; openclaw config set KEY VALUE writes the whole file like that")
	}
	return &document{d}, nil
}

func keys(path string) []string { return strings.Split(path, ".") }

// value returns the value at a path as encoding/json would; nil: there is none.
func (d *document) value(path string) any { return d.Value(keys(path)...) }

// has reports whether the list at a path has a text.
func (d *document) has(path, text string) bool {
	return slices.Contains(d.List(keys(path)...), any(text))
}

// apply makes a change.
func (d *document) apply(c Change) error {
	if c.Append {
		return d.Append(asJSON(c.After), keys(c.Path)...)
	}
	return d.Set(asJSON(c.After), keys(c.Path)...)
}

// revert takes changes back in a configuration that others have edited since. A value
// that is no longer ours stays; kept lists the paths of these.
func (d *document) revert(changes []Change) (kept []string, err error) {
	if err := d.Cut(keys(pluginEntry)...); err != nil {
		return nil, err
	}
	for _, c := range slices.Backward(changes) {
		now, path := d.value(c.Path), keys(c.Path)
		switch {
		case now == nil: // gone already
		case c.Append:
			if index := slices.Index(d.List(path...), c.After); index >= 0 {
				err = d.Cut(append(path, strconv.Itoa(index))...)
			}
		case !reflect.DeepEqual(now, c.After):
			kept = append(kept, c.Path)
		case c.Before != nil:
			err = d.Set(asJSON(c.Before), path...)
		default:
			err = d.Cut(path...)
		}
		if err != nil {
			return kept, err
		}
	}
	return kept, nil
}
