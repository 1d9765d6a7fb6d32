package hostsetup

import (
	"reflect"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/hostsetup/json5"
)

// revert takes changes back in a configuration that others have edited since. A value
// that is no longer ours stays; kept lists the paths of these.
func revert(src []byte, changes []Change) (out []byte, kept []string, err error) {
	if out, err = dropEntry(src, changes); err != nil {
		return nil, nil, err
	}
	for _, c := range slices.Backward(changes) {
		root, err := parseConfig(out)
		if err != nil {
			return nil, nil, err
		}
		v := root.Lookup(c.keys()...)
		switch {
		case v == nil: // gone already
		case c.Append:
			out, err = removeElement(out, v, c)
		case !reflect.DeepEqual(v.Any(), c.After):
			kept = append(kept, c.Path)
		case c.Raw != "":
			out, err = json5.ReplaceRaw(out, c.keys(), c.Raw)
		default:
			out, err = deleteMade(out, c)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return out, kept, nil
}

func removeElement(src []byte, list *json5.Value, c Change) ([]byte, error) {
	elements, _ := list.Any().([]any)
	if !slices.Contains(elements, c.After) {
		return src, nil
	}
	if len(elements) == 1 && c.Raw == "" {
		return deleteMade(src, c)
	}
	return json5.Remove(src, c.keys(), c.After.(string))
}

// deleteMade deletes the value of a change, and the objects that the change made and
// that are empty then.
func deleteMade(src []byte, c Change) ([]byte, error) {
	keys := c.keys()
	out, err := json5.Delete(src, keys)
	for n := len(keys) - 1; err == nil && n > c.Existed; n-- {
		root, parseErr := parseConfig(out)
		if parseErr != nil {
			return nil, parseErr
		}
		if v := root.Lookup(keys[:n]...); v == nil || v.Kind != json5.Object || len(v.Members) > 0 {
			break
		}
		out, err = json5.Delete(out, keys[:n])
	}
	return out, err
}

// dropEntry deletes the plugin's whole entry if the setup made it: the host warns of
// an entry without a plugin.
func dropEntry(src []byte, changes []Change) ([]byte, error) {
	whole := Change{Path: "plugins.entries." + PluginID}
	whole.Existed = len(whole.keys())
	for _, c := range changes {
		if strings.HasPrefix(c.Path, whole.Path+".") {
			whole.Existed = min(whole.Existed, c.Existed)
		}
	}
	root, err := parseConfig(src)
	if err != nil || whole.Existed == len(whole.keys()) || root.Lookup(whole.keys()...) == nil {
		return src, err
	}
	return deleteMade(src, whole)
}
