package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/internal/must"
)

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.yaml")
	must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func TestLaterSourcesOverrideEarlierOnes(t *testing.T) {
	file := write(t, "scoring:\n  recency: 0.1\n  frequency: 0.4\n")
	l := must.Get(config.Load(file, []string{"MEMORY_SCORING_FREQUENCY=0.05", "MEMORY_INJECTION_MAX_ITEMS=5"}))(t)
	if l.Scoring.Similarity != 0.5 || l.Scoring.Recency != 0.1 || l.Scoring.Frequency != 0.05 || l.Injection.MaxItems != 5 {
		t.Errorf("got %+v %+v", l.Scoring, l.Injection)
	}
	for key, want := range map[string]string{
		"scoring.similarity": "default", "scoring.recency": file + ":2",
		"scoring.frequency": "MEMORY_SCORING_FREQUENCY", "injection.maxItems": "MEMORY_INJECTION_MAX_ITEMS",
	} {
		if l.Sources[key] != want {
			t.Errorf("source of %s = %q, want %q", key, l.Sources[key], want)
		}
	}
}

func TestErrorsNameFileAndLine(t *testing.T) {
	tests := []struct{ name, file, env, want string }{
		{"unknown key", "injection:\n  maxItem: 3\n", "", ":2: unknown key \"injection.maxItem\""},
		{"not YAML", "injection: [\n", "", "config.yaml"},
		{"second document", "log:\n  level: info\n---\nautoCapture: false\n", "", "config.yaml:3: a second YAML document begins here"},
		{"document after an empty one", "# mine\n---\n---\nautoCapture: false\n", "", "config.yaml:3: a second YAML document begins here"},
		{"document after an end", "log:\n  level: info\n...\n---\n", "", "config.yaml:4: a second YAML document begins here"},
		{"wrong type", "injection:\n  maxItems: many\n", "", `config.yaml:2: injection.maxItems: "many" is not a whole number`},
		{"fraction", "injection:\n  maxItems: 3.7\n", "", `config.yaml:2: injection.maxItems: "3.7" is not a whole number`},
		{"not a switch", "log:\n  level: info\nautoRecall: maybe\n", "", `config.yaml:3: autoRecall: "maybe" is not true or false`},
		{"out of range", "injection:\n  maxItems: -3\n", "", "config.yaml:2: injection.maxItems: -3 is out of range (0 to 200)"},
		{"not a number", "scoring:\n  recency: .nan\n", "", "out of range"},
		{"cron expression", "decay:\n  schedule: 61 * * * *\n", "", "config.yaml:2: decay.schedule: \"61 * * * *\" is not a schedule"},
		{"not one of", "", "MEMORY_LOG_LEVEL=loud", "one of: debug, info, warn, error"},
		{"environment", "", "MEMORY_INJECTION_MAX_ITEMS=x", "MEMORY_INJECTION_MAX_ITEMS"},
		{"workspace name", "workspaces:\n  ../x: {path: /a}\n", "", "is not a valid name for a workspace"},
		{"workspace without path", "workspaces:\n  a: {timezone: UTC}\n", "", "workspaces.a.path is not set"},
		{"zone", "workspaces:\n  a: {path: /a, timezone: Mars/Base}\n", "", "config.yaml:2: workspaces.a.timezone: \"Mars/Base\" is not a time zone"},
		{"address", "embedding:\n  baseUrl: not a url\n", "", "config.yaml:2: embedding.baseUrl: \"not a url\" is not the address of a server"},
		{"address with a password", "", "MEMORY_EMBEDDING_BASE_URL=http://a:secret@localhost/v1", "MEMORY_EMBEDDING_BASE_URL: embedding.baseUrl: it contains more than the address"},
		{"relative path", "dbPath: m.db\n", "", "config.yaml:1: dbPath: \"m.db\" is not an absolute path"},
		{"tier", "workspaces:\n  a: {path: /a, globs: [{glob: x, tier: tepid}]}\n", "", "tepid"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := config.Load(write(t, tt.file), []string{tt.env})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error %v, want one with %q", err, tt.want)
			}
			if !errors.Is(err, memory.ErrInvalid) {
				t.Errorf("error %v, want memory.ErrInvalid", err)
			}
		})
	}
}

func TestOneDocumentMayHaveItsMarks(t *testing.T) {
	for _, text := range []string{"---\nautoCapture: false\n", "%YAML 1.1\n---\nautoCapture: false\n...\n", "autoCapture: false\n...\n# the end\n"} {
		if l, err := config.Load(write(t, text), nil); err != nil || l.AutoCapture {
			t.Errorf("%q: %v, %v", text, l, err)
		}
	}
	if _, err := config.Load(write(t, "# nothing yet\n---\n"), nil); err != nil {
		t.Error(err)
	}
}

func TestSetChangesOneLine(t *testing.T) {
	const file = "# mine\ninjection:\n  maxItems: 7 # few\n\nlog:\n  level: info\n"
	tests := []struct{ name, in, key, value, want string }{
		{"a value", file, "injection.maxItems", "9", "# mine\ninjection:\n  maxItems: 9 # few\n\nlog:\n  level: info\n"},
		{"a new key of a block", file, "injection.maxTokens", "50", "# mine\ninjection:\n  maxItems: 7 # few\n  maxTokens: 50\n\nlog:\n  level: info\n"},
		{"a new block", file, "scoring.halfLives.project", "30", file + "scoring:\n  halfLives:\n    project: 30\n"},
		{"an empty file", "", "log.level", "debug", "log:\n  level: debug\n"},
		{"CRLF", "log:\r\n  level: info\r\n", "log.level", "debug", "log:\r\n  level: debug\r\n"},
		{"mixed line ends", "log:\r\n  level: info # a\nautoRecall: true\r\n", "log.level", "debug", "log:\r\n  level: debug # a\r\nautoRecall: true\r\n"},
		{"a byte order mark", "\ufefflog:\n  level: info\n", "log.level", "debug", "\ufefflog:\n  level: debug\n"},
		{"an empty group", "# a\ninjection: # b\n# c\nlog:\n  level: info\n", "injection.maxItems", "5", "# a\ninjection: # b\n  maxItems: 5\n# c\nlog:\n  level: info\n"},
		{"a text of several lines", "embedding:\n  model: >-\n    one\n    two\n\n  # next\n  provider: none\n", "embedding.model", "words", "embedding:\n  model: words\n\n  # next\n  provider: none\n"},
		{"after a text of several lines", "embedding:\n  model: |-\n    one\n    two\nlog:\n  level: info\n", "embedding.provider", "none", "embedding:\n  model: |-\n    one\n    two\n  provider: none\nlog:\n  level: info\n"},
		{"behind letters of two bytes", "identities:\n  Zoë: [a] # Zoë\n", "identities.Zoë", "b", "identities:\n  Zoë: [b] # Zoë\n"},
		{"a name that YAML reads as a value", "", "identities.null", "b", "identities:\n  \"null\": [b]\n"},
		{"a group with the name of a value", "embedding:\n  provider: local\n  local:\n    quality: best\n", "embedding.local.quality", "fast", "embedding:\n  provider: local\n  local:\n    quality: fast\n"},
		{"a workspace", file, "workspaces.notes.path", "/home/a: b", file + "workspaces:\n  notes:\n    path: '/home/a: b'\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, tt.in)
			must.Do(t, config.Set(path, tt.key, tt.value))
			if got, _ := os.ReadFile(path); string(got) != tt.want {
				t.Errorf("got\n%q, want\n%q", got, tt.want)
			}
		})
	}
}

func TestSetRefusesInvalidValues(t *testing.T) {
	const file = "log: {level: info}\n"
	for _, kv := range [][2]string{{"log.loudness", "3"}, {"log.level", "loud"}, {"log.level", "debug"},
		{"workspaces.a.timezone", "UTC"}, {"injection.maxItems", "1e9"}} {
		path := write(t, file)
		if err := config.Set(path, kv[0], kv[1]); err == nil {
			t.Errorf("set %s=%s: no error", kv[0], kv[1])
		}
		if got, _ := os.ReadFile(path); string(got) != file {
			t.Errorf("set %s=%s changed the file to %q", kv[0], kv[1], got)
		}
	}
}

func TestUnsetRemovesAWorkspace(t *testing.T) {
	path := write(t, "workspaces:\n  a:\n    path: /a\n  b:\n    path: /b\n    timezone: UTC\nlog:\n  level: info\n")
	must.Do(t, config.Unset(path, "workspaces.b"))
	must.Do(t, config.Unset(path, "workspaces.a"))
	if got, _ := os.ReadFile(path); string(got) != "log:\n  level: info\n" {
		t.Errorf("the file is now %q", got)
	}
}

func TestFreeNameIsValidAndUnused(t *testing.T) {
	c := config.Config{Workspaces: map[string]config.Workspace{"notes": {Path: "/a/notes"}}}
	long := strings.Repeat("a", 50)
	c.Workspaces[long] = config.Workspace{Path: "/a/" + long}
	for dir, want := range map[string]string{"/b/notes": "notes-2", "/b/my notes": "my-notes", "/b/日記": "workspace", "/": "workspace",
		"/b/" + long + "aaaaaaaaaaaaaaaaaaaa": long + "-2"} {
		if got := c.FreeName(dir); got != want {
			t.Errorf("%s gets the name %q, want %q", dir, got, want)
		}
		if err := config.CheckName("workspace", c.FreeName(dir)); err != nil {
			t.Error(err)
		}
	}
}

func TestEveryKeyIsDocumented(t *testing.T) {
	for _, k := range append(config.Keys(), config.WorkspaceKeys()...) {
		if k.Doc == "" || strings.HasSuffix(k.Name, ".") {
			t.Errorf("%s has no description", k.Name)
		}
	}
}

func TestRenameWorkspaceKeepsItsLines(t *testing.T) {
	path := write(t, "workspaces:\n  # the old one\n  a:\n    path: /a\n  ab: {path: /ab}\n")
	must.Do(t, config.RenameWorkspace(path, "a", "b"))
	if got, _ := os.ReadFile(path); string(got) != "workspaces:\n  # the old one\n  b:\n    path: /a\n  ab: {path: /ab}\n" {
		t.Errorf("the file is now %q", got)
	}
	if err := config.RenameWorkspace(path, "missing", "c"); err == nil {
		t.Error("a missing workspace was renamed")
	}
}

func TestSecretsAreMasked(t *testing.T) {
	for _, tt := range []struct{ value, shown, revealed, fails string }{
		{"", "", "", ""},
		{"very-private", "(set)", "very-private", ""},
		{"env:SOME_KEY", "env:SOME_KEY", "from the variable", ""},
		{"env:OTHER_KEY", "env:OTHER_KEY", "", "OTHER_KEY, which is not set"},
		{"file:/does/not/exist", "file:/does/not/exist", "", "read embedding.apiKey"},
	} {
		t.Run(tt.value, func(t *testing.T) {
			l := must.Get(config.Load("", []string{"MEMORY_EMBEDDING_API_KEY=" + tt.value}))(t)
			for _, s := range l.Settings() {
				if s.Key == "embedding.apiKey" && s.Value != tt.shown {
					t.Errorf("shown as %v", s.Value)
				}
			}
			env := map[string]string{"SOME_KEY": " from the variable\n"}
			got, err := config.Reveal(t.Context(), "embedding.apiKey", l.Embedding.APIKey, func(name string) string { return env[name] })
			if got != tt.revealed || (err == nil) != (tt.fails == "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

func TestSetAllChangesEveryKeyOrNone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	must.Do(t, os.WriteFile(file, []byte("# mine\nembedding:\n  provider: openai # far\n  model: words\n"), 0o600))
	change := []config.Change{{Key: "embedding.provider", Value: "local"}, {Key: "embedding.model"}, {Key: "embedding.dimensions"}}
	must.Do(t, config.SetAll(file, change))
	if src, err := os.ReadFile(file); err != nil || string(src) != "# mine\nembedding:\n  provider: local # far\n" {
		t.Errorf("%q, %v", src, err)
	}
	before := must.Get(os.ReadFile(file))(t)
	bad := []config.Change{{Key: "embedding.model", Value: "other"}, {Key: "embedding.provider", Value: "unknown"}}
	if err := config.SetAll(file, bad); err == nil {
		t.Error("an unknown provider was set")
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("a part of the changes was written: %q, %v", after, err)
	}
}

// An error about a setting names the key, its value, what is allowed and the place. It
// contains no type of the program.
func TestErrorsOfSettingsNameKeyValueAndWhatIsAllowed(t *testing.T) {
	for text, want := range map[string]string{
		"injection: 5":                       `config.yaml:1: injection: "5" is not a group of keys, such as injection.maxItems`,
		"injection: [1]":                     "injection: a list is not a group of keys",
		"injection: {maxItems: x}":           `injection.maxItems: "x" is not a whole number (0 to 200)`,
		"log: {}\ninjection: {none: 1}":      `config.yaml:2: unknown key "injection.none"`,
		"workspaces: 5":                      `workspaces: "5" is not a group of names`,
		"workspaces: {a: 5}":                 `workspaces.a: "5" is not a group of keys, such as workspaces.a.path`,
		"workspaces: {a: {globs: {b: 1}}}":   `workspaces.a.globs: a group of keys is not a list`,
		"capture: {categories: {a: 1}}":      "capture.categories: a group of keys is not a list",
		"embedding: {apiKey: [a]}":           "embedding.apiKey: a list is not a text",
		"- a":                                "the file is a list, and not a group of keys",
		"a: [":                               "config.yaml:1: this is not valid YAML",
		"x: &a {maxItems: y}\ninjection: *a": "unknown key \"x\"",
	} {
		_, err := config.Load(write(t, text+"\n"), nil)
		var known *memory.Error
		if !errors.As(err, &known) || known.Kind != memory.ErrInvalid || !strings.Contains(err.Error(), want) || known.Hint == "" {
			t.Errorf("%s: %v, want %s", text, err, want)
		} else if strings.Contains(err.Error(), "config.") && strings.Contains(strings.ReplaceAll(err.Error(), "config.yaml", ""), "config.") {
			t.Errorf("%s: the error names a type of the program: %v", text, err)
		}
	}
	_, err := config.Load("", []string{"MEMORY_INJECTION_MAX_ITEMS=x"})
	if known := (*memory.Error)(nil); !errors.As(err, &known) || !strings.Contains(known.Hint, "unset it") || !strings.Contains(err.Error(), "(0 to 200)") {
		t.Errorf("an environment variable: %v", err)
	}
}

// Groups without a value, anchors and merged keys are valid.
func TestEmptyGroupsAndAnchorsAreValid(t *testing.T) {
	l, err := config.Load(write(t, "log:\ninjection: &i {maxItems: 7}\nworkspaces:\n  a: &w {path: /a, readOnly: true}\n  b: {<<: *w, path: /b}\n"), nil)
	if err != nil || l.Injection.MaxItems != 7 || !l.Workspaces["b"].ReadOnly || l.Workspaces["b"].Path != "/b" {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestConfigurationThatIsNoFileIsRefused(t *testing.T) {
	dir := t.TempDir()
	device, large := filepath.Join(dir, "device.yaml"), filepath.Join(dir, "large.yaml")
	must.Do(t, errors.Join(os.Symlink("/dev/zero", device), os.WriteFile(large, make([]byte, 2<<20), 0o600)))
	for file, want := range map[string]string{dir: "is a folder", device: "is a device", large: "is larger than 1 MiB"} {
		_, err := config.Load(file, nil)
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("load %s: %v", file, err)
		}
		if err := config.Set(file, "injection.maxItems", "5"); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("set in %s: %v", file, err)
		}
		if _, err := config.Reveal(t.Context(), "embedding.apiKey", "file:"+file, os.Getenv); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("a key in %s: %v", file, err)
		}
	}
}

func TestPathOfAWorkspaceIsAbsoluteOrInTheHomeFolder(t *testing.T) {
	home := []string{"HOME=/home/me"}
	l, err := config.Load(write(t, "workspaces: {a: {path: ~/notes}, b: {path: /b}}\ndbPath: ~/m.db\n"), home)
	if err != nil || l.Workspaces["a"].Path != "/home/me/notes" || l.Workspaces["b"].Path != "/b" || l.DBPath != "/home/me/m.db" {
		t.Errorf("%+v, %v", l, err)
	}
	for _, path := range []string{"notes", "./notes", "~you/notes"} {
		_, err := config.Load(write(t, "workspaces: {a: {path: "+path+"}}\n"), home)
		if err == nil || !strings.Contains(err.Error(), "config.yaml:1: workspaces.a.path") || !strings.Contains(err.Error(), "such as /home/me/notes or ~/notes") {
			t.Errorf("%s: %v", path, err)
		}
	}
}
