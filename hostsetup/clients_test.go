package hostsetup_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/hostsetup"
	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/internal/property"
)

// home is a home folder in which every client was used, and the setup of one client.
type home struct {
	dir     string
	options hostsetup.ClientOptions
	machine *fakeMachine
}

func newHome(t testing.TB, client string, files map[string]string) *home {
	t.Helper()
	h := &home{dir: filepath.Join(t.TempDir(), "home")}
	for name, text := range files {
		h.write(t, name, text)
	}
	c := clientNamed(client)
	env := hostsetup.Environment{Home: h.dir, Get: func(name string) string {
		if name == "PATH" {
			return filepath.Join(h.dir, "bin")
		}
		return ""
	}}
	folder := filepath.Join(h.dir, strings.TrimPrefix(c.Folder, "~/"))
	must.Do(t, os.MkdirAll(folder, 0o755))
	h.machine = &fakeMachine{config: filepath.Join(h.dir, "state", "config.yaml")}
	h.options = hostsetup.ClientOptions{Client: c, Env: env, Program: "/opt/a b/memory", Options: []string{"--state-dir", "/s"},
		StateDir: filepath.Join(h.dir, "state"), Service: true, Machine: h.machine}
	return h
}

func (h *home) write(t testing.TB, name, text string) {
	t.Helper()
	file := filepath.Join(h.dir, name)
	must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o640)))
}

// trust makes the client trust our hooks, if it has trust. Its program is a script.
func (h *home) trust(t testing.TB) {
	t.Helper()
	if h.options.Client.Program == "codex" {
		h.write(t, "bin/codex", fakeCodex)
		must.Do(t, os.Chmod(filepath.Join(h.dir, "bin", "codex"), 0o755))
		h.options.Trust = true
	}
}

// files returns the text of every file in the home folder but programs and those of the service.
func (h *home) files(t testing.TB) map[string]string {
	t.Helper()
	found := map[string]string{}
	must.Do(t, filepath.WalkDir(h.dir, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(h.dir, path)
		if err != nil || entry.IsDir() || strings.HasPrefix(name, "state") || strings.HasPrefix(name, "bin") {
			return err
		}
		src, err := os.ReadFile(path)
		found[name] = string(src)
		return err
	}))
	return found
}

func (h *home) setUp(t testing.TB) *hostsetup.ClientSetup {
	t.Helper()
	s, err := hostsetup.PrepareClient(t.Context(), h.options)
	if err == nil {
		err = s.Run(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (h *home) remove(t testing.TB) hostsetup.ClientRemoval {
	t.Helper()
	s, removal, err := hostsetup.PrepareRemoval(h.options)
	if err == nil {
		err = s.Remove(t.Context(), removal)
	}
	if err != nil {
		t.Fatal(err)
	}
	return removal
}

// layouts are texts that a client's file may have. LIST stands for hooks of others.
var layouts = map[string]map[string]string{
	".json": {
		"missing": "", "empty": " \n", "an object": "{}", "no newline": `{"theme": "dark"}`,
		"comments": "// mine\n{\n  \"theme\": \"dark\", // yes\n}\n", "a comment at the end": "{\"theme\": \"dark\"} // end",
		"CRLF": "{\r\n\t\"theme\": \"dark\"\r\n}\r\n", "a byte order mark": "\ufeff{\n    \"theme\": \"dark\"\n}\n",
		"one line": "{\"theme\":\"dark\"}\r\n", "empty groups": "{\"hooks\": {}, \"mcpServers\": {}}", "blank lines": "\n{\n\n  \"theme\": \"dark\"\n\n}\n\n",
		"others": "{\n  \"hooks\": {\"SessionStart\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}]},\n  \"mcpServers\": {\"x\": {\"command\": \"y\"}}\n}\n",
	},
	".toml": {"missing": "", "a table": "# mine\n[a]\nb = 1\n", "no newline": "[mcp_servers.x]\r\ncommand = \"y\"", "CRLF": "# mine\r\nb = 1\r\n",
		"an empty table": "b = 1\n\n[mcp_servers]\n", "empty lines": "b = 1\n\n\n", "trust of others": "[hooks.state.\"/x/hooks.json:stop:0:0\"]\r\ntrusted_hash = \"theirs\"\r\n"},
	".yaml": {"missing": "", "a map": "# mine\nextensions:\n  dev:\n    enabled: true\n\nz: 1\n", "no newline": "model: a", "CRLF": "# mine\r\nz: 1\r\n",
		"null": "extensions:\nz: 1\n", "empty lines": "z: 1\n\n\n"},
	".md": {"missing": "", "text": "# Mine\n\nBe brief.\n", "no newline": "Be brief.", "CRLF": "# Mine\r\n", "empty lines": "Be brief.\n\n\n"},
	".js": {"missing": ""},
}

// filesOf returns the files of a client, relative to the home folder.
func clientNamed(name string) hostsetup.Client {
	return clients.Named(name)
}

func filesOf(c hostsetup.Client) (names []string) {
	for _, f := range c.Files {
		names = append(names, strings.TrimPrefix(f.Path, "~/"))
	}
	return names
}

// TestEveryClientIsSetUpAndTakenBack sets each client up, twice, and removes that, with
// every layout of each of its files.
func TestEveryClientIsSetUpAndTakenBack(t *testing.T) {
	for _, client := range hostsetup.ClientNames() {
		c := clientNamed(client)
		for _, name := range filesOf(c) {
			for layout, text := range layouts[filepath.Ext(name)] {
				t.Run(client+"/"+filepath.Base(name)+"/"+layout, func(t *testing.T) {
					before := map[string]string{"unrelated": "x"}
					if text != "" {
						before[name] = text
					}
					h := newHome(t, client, before)
					h.trust(t)
					h.setUp(t)
					once := h.files(t)
					if state := hostsetup.StatusOf(h.options); state.Wired != "yes" || state.Error != "" {
						t.Errorf("the status is %+v", state)
					}
					for _, name := range filesOf(c) {
						if !strings.Contains(once[name], "memory") {
							t.Errorf("%s lacks our entry:\n%s", name, once[name])
						}
					}
					s := h.setUp(t)
					for _, f := range s.Changes {
						if f.Action() != "unchanged" {
							t.Errorf("a second setup changes\n%s", f.Diff())
						}
					}
					h.remove(t)
					if got := h.files(t); !maps.Equal(got, before) {
						t.Errorf("after the removal:\n%q\nwant\n%q", got, before)
					}
					if h.machine.service || isThere(filepath.Join(h.options.StateDir, "setup")) {
						t.Error("the service or the record is left")
					}
				})
			}
		}
	}
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// TestOurEntriesComeLast: others' hooks keep their positions, to which trust is bound.
func TestOurEntriesComeLast(t *testing.T) {
	h := newHome(t, "codex", map[string]string{".codex/hooks.json": `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "theirs"}]}]}}`})
	h.setUp(t)
	var file struct{ Hooks map[string][]map[string]any }
	must.Do(t, json.Unmarshal([]byte(h.files(t)[".codex/hooks.json"]), &file))
	text := func(v any) string { src, _ := json.Marshal(v); return string(src) }
	stop := file.Hooks["Stop"]
	if len(stop) != 2 || !strings.Contains(text(stop[0]), "theirs") || !strings.Contains(text(stop[1]), "'/opt/a b/memory' --state-dir /s hook codex Stop") {
		t.Errorf("the hooks are %s", text(stop))
	}
}

// TestUpgradeRewritesOnlyOurEntries: the program has moved, and somebody has edited the file.
func TestUpgradeRewritesOnlyOurEntries(t *testing.T) {
	const name = ".gemini/settings.json"
	h := newHome(t, "gemini", map[string]string{name: "{\n  \"a\": 1 // mine\n}\n"})
	h.setUp(t)
	h.write(t, name, strings.Replace(h.files(t)[name], `"a": 1`, `"a": 2`, 1))
	h.options.Program = "/new/memory"
	h.setUp(t)
	if got := h.files(t)[name]; strings.Contains(got, "/opt") || strings.Count(got, "/new/memory") != 4 {
		t.Errorf("after the upgrade:\n%s", got)
	}
	h.remove(t)
	if got := h.files(t)[name]; got != "{\n  \"a\": 2 // mine\n}\n" {
		t.Errorf("after the removal:\n%s", got)
	}
}

// TestRemoveOfAnEditedFile takes only our entries out, and names the file.
func TestRemoveOfAnEditedFile(t *testing.T) {
	const name = ".copilot/settings.json"
	for _, record := range []string{"complete", "without the text that setup wrote", "lost"} {
		withRecord := record != "lost"
		h := newHome(t, "copilot", map[string]string{name: "{\n  \"a\": 1\n}\n"})
		h.setUp(t)
		edited := strings.Replace(h.files(t)[name], `"agentStop": [`, "\"agentStop\": [\n      {\"bash\": \"theirs\"},", 1)
		h.write(t, name, edited)
		remove := map[string]string{"without the text that setup wrote": "setup/copilot/*.written", "lost": ""}
		if pattern, found := remove[record]; found {
			paths, _ := filepath.Glob(filepath.Join(h.options.StateDir, pattern))
			for _, path := range paths {
				must.Do(t, os.RemoveAll(path))
			}
		}
		removal := h.remove(t)
		got := h.files(t)
		if !strings.Contains(got[name], "theirs") || strings.Contains(got[name], "/opt") || strings.Contains(got[".copilot/mcp-config.json"], "/opt") {
			t.Errorf("the record is %s:\n%s", record, got)
		}
		if withRecord != slices.Contains(removal.Kept, filepath.Join(h.dir, name)) {
			t.Errorf("the record is %s: it names %q", record, removal.Kept)
		}
		if _, _, err := hostsetup.PrepareRemoval(h.options); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("a second removal: %v", err)
		}
	}
}

// TestRemoveOfAnEditedFileKeepsWhatWasThere: a list or an object that a person had empty stays, and
// an entry that starts this program comes back.
func TestRemoveOfAnEditedFileKeepsWhatWasThere(t *testing.T) {
	for _, tt := range []struct{ client, name, text string }{
		{"claude-code", ".claude/settings.json", "{\n  \"z\": 1,\n  \"hooks\": {\n    \"SessionStart\": []\n  }\n}\n"},
		{"claude-code", ".claude/settings.json", "{\n  \"hooks\": {}, // mine\n  \"z\": 1\n}\n"},
		{"claude-code", ".claude.json", "{\n  \"z\": 1,\n  \"mcpServers\": {}\n}\n"},
		{"claude-code", ".claude.json", "{\n  \"z\": 1,\n  \"mcpServers\": {\n    \"memory\": {\n      \"args\": [\n        \"mcp\"\n      ],\n      \"command\": \"memory\"\n    }\n  }\n}\n"},
		{"codex", ".codex/hooks.json", "{\"z\": 1, \"hooks\": {\"Stop\": []}}"},
		{"codex", ".codex/config.toml", "z = 1\n\n[mcp_servers]\n"},
		{"goose", ".config/goose/config.yaml", "z: 1\nextensions:\n# last\n"},
	} {
		for _, again := range []bool{false, true} {
			h := newHome(t, tt.client, map[string]string{tt.name: tt.text})
			h.setUp(t)
			h.write(t, tt.name, strings.Replace(h.files(t)[tt.name], "1", "2", 1))
			if again {
				h.options.Program = "/new/memory"
				h.setUp(t)
				h.write(t, tt.name, strings.Replace(h.files(t)[tt.name], "2", "3", 1))
			}
			want := strings.Replace(tt.text, "1", map[bool]string{false: "2", true: "3"}[again], 1)
			h.remove(t)
			if got := h.files(t)[tt.name]; got != want {
				t.Errorf("%s, set up again %v:\n%q\nwant\n%q", tt.client, again, got, want)
			}
		}
	}
}

// TestHandlerBesideOursStays: a person wrote a handler into our group of hooks.
func TestHandlerBesideOursStays(t *testing.T) {
	const name, ours = ".claude/settings.json", `"command": "/opt/a b/memory",`
	h := newHome(t, "claude-code", nil)
	h.setUp(t)
	edited := strings.ReplaceAll(h.files(t)[name], "            \"type\": \"command\",\n            "+ours, "            \"type\": \"command\", \"command\": \"theirs\"}, {\"type\": \"command\",\n            "+ours)
	before := strings.Count(edited, "theirs")
	h.write(t, name, edited)
	h.setUp(t)
	if got := h.files(t)[name]; before == 0 || got != edited {
		t.Errorf("a second setup makes it %s", got)
	}
	h.options.Program = "/new/memory"
	h.setUp(t)
	if got := h.files(t)[name]; strings.Count(got, "theirs") != before || strings.Contains(got, ours) || !strings.Contains(got, "/new/memory") {
		t.Errorf("after an upgrade: %s", got)
	}
	h.remove(t)
	if got := h.files(t)[name]; strings.Count(got, "theirs") != before || strings.Contains(got, "/new/memory") {
		t.Errorf("after the removal: %s", got)
	}
}

// TestAnotherServerNamedMemoryStays: a client may have one of somebody else.
func TestAnotherServerNamedMemoryStays(t *testing.T) {
	const theirs = "{\n  \"mcpServers\": {\n    \"memory\": {\"command\": \"npx\", \"args\": [\"server-memory\"]}\n  }\n}\n"
	h := newHome(t, "claude-code", map[string]string{".claude.json": theirs})
	for range 2 {
		h.setUp(t)
	}
	got := h.files(t)
	if !strings.Contains(got[".claude.json"], "server-memory") || !strings.Contains(got[".claude.json"], `"memory-tiered": {`) || !strings.Contains(got[".claude/settings.json"], `"server": "memory-tiered"`) {
		t.Errorf("the files are %s", got)
	}
	h.remove(t)
	if got := h.files(t); got[".claude.json"] != theirs || len(got) != 1 {
		t.Errorf("after the removal: %q", got)
	}
}

// TestFilesThatCannotBeEditedStay: no file of the client changes.
func TestFilesThatCannotBeEditedStay(t *testing.T) {
	for name, text := range map[string]string{
		".codex/config.toml": "mcp_servers = {x = {command = \"y\"}}\n", ".codex/hooks.json": `{"hooks": []}`,
	} {
		before := map[string]string{name: text}
		h := newHome(t, "codex", before)
		_, err := hostsetup.PrepareClient(t.Context(), h.options)
		if err == nil || !strings.Contains(err.Error(), filepath.Base(name)) {
			t.Errorf("%s: %v", name, err)
		}
		if got := h.files(t); !maps.Equal(got, before) {
			t.Errorf("%s: the files are %q", name, got)
		}
	}
	linked := newHome(t, "gemini", nil)
	if os.Symlink("nothing.json", filepath.Join(linked.dir, ".gemini", "settings.json")) == nil {
		if _, err := hostsetup.PrepareClient(t.Context(), linked.options); !errors.Is(err, memory.ErrConflict) {
			t.Errorf("a link to nothing: %v", err)
		}
	}
	h := newHome(t, "opencode", map[string]string{".config/opencode/plugins/memory.js": "mine"})
	if _, err := hostsetup.PrepareClient(t.Context(), h.options); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("a plugin of somebody else: %v", err)
	}
}

// TestFailedSetupOfAClientIsTakenBack: a file changed meanwhile. The one before it is written already.
func TestFailedSetupOfAClientIsTakenBack(t *testing.T) {
	before := map[string]string{".codex/config.toml": "a = 1\n"}
	h := newHome(t, "codex", before)
	h.options.Folder = filepath.Join(h.dir, "notes")
	s := must.Get(hostsetup.PrepareClient(t.Context(), h.options))(t)
	before[".codex/config.toml"] = "a = 2\n"
	h.write(t, ".codex/config.toml", "a = 2\n")
	if err := s.Run(t.Context()); !errors.Is(err, memory.ErrConflict) || !maps.Equal(h.files(t), before) {
		t.Errorf("Run: %v, %q", err, h.files(t))
	}
	if len(h.machine.workspaces) > 0 || h.machine.service || isThere(h.options.Folder) || hostsetup.Recorded(h.options.StateDir, h.options.Client) {
		t.Error("a part of the setup is left")
	}
}

// TestFileInPlaceOfTheWorkspaceStays: its folder cannot be made.
func TestFileInPlaceOfTheWorkspaceStays(t *testing.T) {
	before := map[string]string{"notes": ""}
	h := newHome(t, "codex", before)
	h.options.Folder = filepath.Join(h.dir, "notes")
	s := must.Get(hostsetup.PrepareClient(t.Context(), h.options))(t)
	if err := s.Run(t.Context()); !errors.Is(err, memory.ErrUnavailable) || !maps.Equal(h.files(t), before) {
		t.Errorf("Run: %v, %q", err, h.files(t))
	}
}

// TestReadOnlyFilesStay: the error names the file or the folder, before anything is written.
func TestReadOnlyFilesStay(t *testing.T) {
	for _, name := range []string{".codex/config.toml", ".codex"} {
		before := map[string]string{".codex/config.toml": "a = 1\n"}
		h := newHome(t, "codex", before)
		isRefused := func(step string, err error) {
			if !errors.Is(err, memory.ErrForbidden) || !strings.Contains(err.Error(), name+" is read-only") {
				t.Errorf("%s: %v", step, err)
			}
		}
		path := filepath.Join(h.dir, name)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		protect := func(mask fs.FileMode) {
			must.Do(t, os.Chmod(path, info.Mode().Perm()&^mask))
		}
		protect(0o222)
		_, err = hostsetup.PrepareClient(t.Context(), h.options)
		isRefused("setup", err)
		h.options.Preview = true
		if _, err := hostsetup.PrepareClient(t.Context(), h.options); err != nil {
			t.Errorf("a preview: %v", err)
		}
		h.options.Preview = false
		protect(0)
		h.setUp(t)
		protect(0o222)
		_, _, err = hostsetup.PrepareRemoval(h.options)
		isRefused("remove", err)
		protect(0)
		h.remove(t)
		if got := h.files(t); !maps.Equal(got, before) {
			t.Errorf("after the removal: %q", got)
		}
	}
}

func TestClientThatIsNotInstalled(t *testing.T) {
	h := newHome(t, "zed", nil)
	must.Do(t, os.RemoveAll(filepath.Join(h.dir, ".config")))
	if _, err := hostsetup.PrepareClient(t.Context(), h.options); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("PrepareClient: %v", err)
	}
	h.options.Preview = true
	s, err := hostsetup.PrepareClient(t.Context(), h.options)
	if err != nil || !errors.Is(s.Missing, memory.ErrNotFound) || len(s.Changes) != 1 || s.Changes[0].Action() != "created" {
		t.Errorf("the preview: %+v, %v", s, err)
	}
}

func TestLinkAndModeStay(t *testing.T) {
	h := newHome(t, "gemini", map[string]string{"dotfiles/gemini.json": "{}\n"})
	link := filepath.Join(h.dir, ".gemini", "settings.json")
	if err := os.Symlink(filepath.Join(h.dir, "dotfiles", "gemini.json"), link); err != nil {
		t.Skip(err)
	}
	h.setUp(t)
	info, err := os.Lstat(link)
	target, statErr := os.Stat(link)
	if err != nil || statErr != nil || info.Mode()&os.ModeSymlink == 0 || target.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v, %v, %v", info, target, err, statErr)
	}
	h.remove(t)
	if got := h.files(t)["dotfiles/gemini.json"]; got != "{}\n" {
		t.Errorf("after the removal: %q", got)
	}
}

// fakeCodex lists the hooks of its folder, and of positions that may have none, as Codex does.
const fakeCodex = `#!/bin/sh
while read -r line; do
  case "$line" in *'"id":1'*) echo '{"id":1,"result":{}}' ;;
  *hooks/list*) echo '{"method":"note"}'
    for e in session_start user_prompt_submit pre_compact stop; do for at in 0 1; do
      all="$all{\"key\":\"$CODEX_HOME/hooks.json:$e:$at:0\",\"currentHash\":\"sha256:$e:$at:0\"},"
    done; done
    echo "{\"id\":2,\"result\":{\"data\":[{\"hooks\":[${all%,}]}]}}" ;;
  esac
done
`

// TestTrust: the hashes are those that the client computes, at the positions of our hooks.
func TestTrust(t *testing.T) {
	before := map[string]string{
		".codex/hooks.json":  `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "theirs"}]}]}}`,
		".codex/config.toml": "[hooks.state.\"/x/hooks.json:stop:0:0\"]\ntrusted_hash = \"theirs\"\n",
	}
	h := newHome(t, "codex", before)
	s := h.setUp(t)
	if n := len(s.Untrusted()); n != 4 {
		t.Errorf("without --trust %d hooks are not trusted", n)
	}
	h.trust(t)
	s = h.setUp(t)
	config := h.files(t)[".codex/config.toml"]
	if len(s.Untrusted()) > 0 || !strings.Contains(config, "hooks.json:stop:1:0\"]\ntrusted_hash = \"sha256:stop:1:0\"") {
		t.Errorf("the configuration is\n%s", config)
	}
	h.write(t, ".codex/config.toml", "# edited\n"+config)
	before[".codex/config.toml"] = "# edited\n" + before[".codex/config.toml"]
	h.remove(t)
	if got := h.files(t); !maps.Equal(got, before) {
		t.Errorf("after the removal:\n%q\nwant\n%q", got, before)
	}
}

// TestRemoveIsTheReverseOfSetup checks it for random files.
func TestRemoveIsTheReverseOfSetup(t *testing.T) {
	property.Check(t, func(r *rapid.T) {
		client := rapid.SampledFrom(hostsetup.ClientNames()).Draw(r, "client")
		c := clientNamed(client)
		before := map[string]string{}
		for _, name := range filesOf(c) {
			texts := layouts[filepath.Ext(name)]
			if text := texts[rapid.SampledFrom(slices.Sorted(maps.Keys(texts))).Draw(r, name)]; text != "" {
				before[name] = text
			}
		}
		h := newHome(t, client, before)
		for range rapid.IntRange(1, 2).Draw(r, "setups") {
			h.setUp(t)
		}
		h.remove(t)
		if got := h.files(t); !maps.Equal(got, before) {
			r.Fatalf("after the removal:\n%q\nwant\n%q", got, before)
		}
	})
}
