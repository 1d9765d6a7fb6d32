package config_test

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/internal/must"
)

// Each key is set, read and unset in files of every form. The comments and the other
// settings stay.
func TestEveryKeyIsSetAndUnsetInFilesOfEveryForm(t *testing.T) {
	for i, k := range everyKey() {
		if testing.Short() && i%5 > 0 {
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			for form, text := range forms(k.Name, validValue(k)) {
				t.Run(form, func(t *testing.T) { isSetAndUnset(t, k, text) })
			}
		})
	}
}

func isSetAndUnset(t *testing.T, k config.Key, text string) {
	file, value := write(t, text), validValue(k)
	for range 2 {
		must.Do(t, config.Set(file, k.Name, value))
		if got := setting(t, file, k.Name); got != value {
			t.Errorf("set %q, get %q", value, got)
		}
		keepsComments(t, file, text)
	}
	if strings.HasSuffix(k.Name, ".path") {
		return // a workspace needs it
	}
	if err := config.Unset(file, k.Name); err != nil {
		t.Fatal("unset:", err)
	}
	if got := setting(t, file, k.Name); got != k.Default {
		t.Errorf("after unset: %q, want %q", got, k.Default)
	}
	keepsComments(t, file, text)
}

// everyKey lists the keys of a configuration with the workspace notes and the user lena.
func everyKey() []config.Key {
	keys := append(config.Keys(), config.Key{Name: "identities.lena"})
	for _, k := range config.WorkspaceKeys() {
		k.Name = strings.Replace(k.Name, "NAME", "notes", 1)
		keys = append(keys, k)
	}
	return keys
}

// validValue returns a value of a key that is not its default.
func validValue(k config.Key) string {
	lists := map[string]string{"capture.categories": "lesson, plan", "capture.triggers": "note to self, by the way", "identities.lena": "telegram:1, slack:U2",
		"scopes": "work agent=coder, home channel=telegram:-1*", "workspaces.notes.globs": "a/**, b/*.md"}
	texts := map[string]string{"path": "/srv/notes: # old", "zone": "Europe/Berlin", "cron": "30 3 * * *", "address": "http://localhost:11434/v1"}
	number, err := strconv.ParseFloat(k.Default, 64)
	switch {
	case lists[k.Name] != "":
		return lists[k.Name]
	case texts[k.Kind] != "":
		return texts[k.Kind]
	case len(k.OneOf) > 0 && k.OneOf[0] == k.Default:
		return k.OneOf[1]
	case len(k.OneOf) > 0:
		return k.OneOf[0]
	case k.Default == "true" || k.Default == "false":
		return strconv.FormatBool(k.Default == "false")
	case err == nil && number > 0:
		return strconv.FormatFloat(math.Floor(number/2), 'f', -1, 64)
	case err == nil:
		return "1"
	case k.Secret:
		return "env:KEY"
	}
	return "a: 'text' # of \"words\""
}

// forms returns files in which a key is missing, or has a value, in every form of YAML.
func forms(key, value string) map[string]string {
	const other = "# mine\ncontext: # few\n  # at once\n  ttlHours: 7 # seven\n"
	parts := strings.Split(key, ".")
	name, groups := parts[len(parts)-1], parts[:len(parts)-1]
	open, indent := "", ""
	for _, g := range groups {
		open += indent + g + ": # " + g + "\n"
		indent += "  "
	}
	path := ""
	if parts[0] == "workspaces" && name != "path" {
		path = indent + "path: /n # here\n"
	}
	quoted := strconv.Quote(value)
	items := ""
	for item := range strings.SplitSeq(value, ", ") {
		items += indent + "  # one item\n" + indent + "  - " + strconv.Quote(item) + " # an item\n"
	}
	out := map[string]string{
		"empty":           "",
		"comments only":   "# nothing\n\n# yet",
		"without the key": other,
		"with its value":  other + open + path + indent + "# above\n" + indent + name + ": " + quoted + "   # beside\n" + indent + "# below\n",
		"several lines":   open + path + indent + name + ": >-\n" + indent + "  " + strings.ReplaceAll(value, "\n", " ") + "\n# below\n",
		"in front":        open + path + indent + name + ": " + quoted + "\n" + other,
		"without a value": open + path + indent + name + ": # beside\n" + other,
	}
	if path != "" {
		for _, form := range []string{"empty", "comments only", "without the key"} {
			out[form] += "\n" + open + path
		}
	}
	if parts[0] == "context" {
		out["with its value"] = strings.TrimPrefix(out["with its value"], other)
		out["in front"] = strings.TrimSuffix(out["in front"], other)
		out["without a value"] = strings.TrimSuffix(out["without a value"], other)
	}
	if strings.Contains(value, ", ") {
		delete(out, "several lines")
		out["a line for each item"] = other + open + path + indent + name + ": # beside\n" + items + "autoRecall: true\n"
	}
	if name == "path" {
		delete(out, "without a value")
	}
	for _, form := range []string{"comments only", "with its value", "a line for each item"} {
		if text, ok := out[form]; ok {
			out[form+", CRLF"] = strings.ReplaceAll(text, "\n", "\r\n")
		}
	}
	return out
}

// setting returns what a person sees of a setting.
func setting(t *testing.T, file, key string) string {
	t.Helper()
	l := must.Get(config.Load(file, nil))(t)
	for _, s := range l.Settings() {
		if s.Key == key {
			return fmt.Sprint(s.Value)
		}
	}
	return ""
}

// keepsComments checks that a file has the comments of a text, in their order, and lines
// of the same kind.
func keepsComments(t *testing.T, file, text string) {
	t.Helper()
	src := must.Get(os.ReadFile(file))(t)
	if strings.Count(string(src), "\r\n") != strings.Count(string(src), "\n") && strings.Contains(text, "\r") {
		t.Errorf("lines without a carriage return:\n%q", src)
	}
	rest := string(src)
	for line := range strings.Lines(text) {
		comment := strings.TrimSpace(line)
		if group, behind, found := strings.Cut(comment, ": # "); found && group == behind {
			comment = "# " + behind
		}
		if !strings.HasPrefix(comment, "#") {
			continue
		}
		_, after, found := strings.Cut(rest, comment)
		if !found {
			t.Errorf("%s is gone from\n%s", comment, src)
		}
		rest = after
	}
}
