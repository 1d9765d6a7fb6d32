package openclaw_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/plugin/openclaw"
)

// property is a setting of the plugin, or a group of them.
type property struct {
	Type        string
	Description string
	Minimum     *float64
	Maximum     *float64
	Enum        []string
	Properties  map[string]property
}

// settings lists the settings below a group by their names.
func (p property) settings(prefix string) map[string]property {
	found := map[string]property{}
	for name, below := range p.Properties {
		if len(below.Properties) == 0 {
			found[prefix+name] = below
		}
		for key, setting := range below.settings(prefix + name + ".") {
			found[key] = setting
		}
	}
	return found
}

// The host shows a form with the hints. It accepts no other fields in a hint, so that help
// tells on which setting another one depends.
func TestEverySettingHasAHint(t *testing.T) {
	src := must.Get(fs.ReadFile(openclaw.Files(), "openclaw.plugin.json"))(t)
	var manifest struct {
		ConfigSchema property
		UIHints      map[string]map[string]any
	}
	must.Do(t, json.Unmarshal(src, &manifest))
	settings := manifest.ConfigSchema.settings("")
	settings["dreaming.enabled"] = settings["dreaming"] // the host's own
	delete(settings, "dreaming")
	fields := []string{"label", "help", "placeholder", "advanced"}
	for name, s := range settings {
		hint := manifest.UIHints[name]
		label, _ := hint["label"].(string)
		help, _ := hint["help"].(string)
		if label == "" || len(label) > 60 || !strings.HasSuffix(help, ".") {
			t.Errorf("%s: a hint has a label of one line, and a sentence of help: %v", name, hint)
		}
		for field := range hint {
			if !slices.Contains(fields, field) {
				t.Errorf("%s: the host refuses the field %s of a hint", name, field)
			}
		}
		for _, value := range s.Enum {
			if !strings.Contains(help, value) {
				t.Errorf("%s: the help says nothing of the value %s", name, value)
			}
		}
		if key, known := config.KeyNamed(name); known {
			isAsInTheService(t, s, help, key)
		}
	}
	for name := range manifest.UIHints {
		if _, known := settings[name]; !known {
			t.Errorf("%s has a hint and is no setting", name)
		}
	}
}

// isAsInTheService compares a setting with the one of the same name in config.yaml.
func isAsInTheService(t *testing.T, s property, help string, key config.Key) {
	t.Helper()
	if condition := key.Condition(); !strings.Contains(help, condition) {
		t.Errorf("%s: the help is %q, without %q", key.Name, help, condition)
	}
	if s.Type == "integer" && (!strings.Contains(strings.ToLower(help), key.Doc) || !strings.Contains(help, key.Default)) {
		t.Errorf("%s: the help is %q, without %q and the default %s", key.Name, help, key.Doc, key.Default)
	}
	for _, limit := range []*float64{s.Minimum, s.Maximum} {
		if limit == nil {
			continue
		}
		if _, err := config.Load(filepath.Join(t.TempDir(), "config.yaml"), []string{fmt.Sprintf("%s=%g", key.Env, *limit)}); err != nil {
			t.Errorf("%s: the service refuses a limit of the plugin: %v", key.Name, err)
		}
	}
}
