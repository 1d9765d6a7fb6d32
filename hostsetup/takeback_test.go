package hostsetup_test

import (
	"cmp"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/hostsetup"
)

// edits are what people and programs do to a whole file. Each has the same effect before and after a
// setup.
var edits = map[string]func(name, text string) string{
	"a first line": func(name, text string) string {
		comment := map[string]string{".json": "//", ".jsonc": "//"}[filepath.Ext(name)]
		return cmp.Or(comment, "#") + " added\n" + text
	},
	"empty lines": func(_, text string) string { return "\n" + text + "\n\n" },
	"values": func(_, text string) string {
		return strings.NewReplacer("dark", "white", "b = 1", "b = 22", "z: 1", "z: 22", "brief", "short").Replace(text)
	},
	"line feeds": func(_, text string) string { return strings.ReplaceAll(text, "\r\n", "\n") },
	"CRLF": func(_, text string) string {
		return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
	},
}

// TestRemoveKeepsWhatOthersWrote: what others wrote since stays as it is, byte for byte.
func TestRemoveKeepsWhatOthersWrote(t *testing.T) {
	if testing.Short() {
		t.Skip("makes some 1,500 setups")
	}
	for _, client := range hostsetup.ClientNames() {
		for _, name := range filesOf(clientNamed(client)) {
			for layout, text := range layouts[filepath.Ext(name)] {
				for kind, edit := range edits {
					if strings.TrimSpace(text) == "" || strings.HasPrefix(text, "\ufeff") {
						continue // a comment alone is no JSON, and nothing is before the mark
					}
					h := newHome(t, client, map[string]string{name: text})
					h.trust(t)
					h.setUp(t)
					h.write(t, name, edit(name, h.files(t)[name]))
					h.remove(t)
					if got := h.files(t)[name]; got != edit(name, text) {
						t.Errorf("%s %s, %s, %s:\n%q\nwant\n%q", client, name, layout, kind, got, edit(name, text))
					}
				}
			}
		}
	}
}

// TestRemoveAfterEditsBesideOurs: what others wrote between, behind and into our entries.
func TestRemoveAfterEditsBesideOurs(t *testing.T) {
	replace := func(old, text string) func(string) string {
		return func(src string) string { return strings.Replace(src, old, text, 1) }
	}
	const theirs = "{\n  \"mcpServers\": {\n    \"x\": {\n      \"command\": \"y\"\n    }\n  }\n}\n"
	const table = "[mcp_servers.x]\r\ncommand = \"y\"\r\n"
	for name, tt := range map[string]struct {
		client, file, before string
		edit                 func(string) string
		want                 string
	}{
		"the client adds a key of its own": {"claude-code", ".claude.json", "{\n  \"starts\": 2,\n  \"mcpServers\": {}\n}",
			func(src string) string {
				src = strings.Replace(src, "2", "3", 1)
				return strings.TrimSuffix(src, "\n}") + ",\n  \"projects\": {\n    \"/x\": {\n      \"history\": []\n    }\n  }\n}"
			}, "{\n  \"starts\": 3,\n  \"mcpServers\": {},\n  \"projects\": {\n    \"/x\": {\n      \"history\": []\n    }\n  }\n}"},
		"a server before ours": {"cursor", ".cursor/mcp.json", theirs, replace(`"memory": {`, "\"w\": {\n      \"command\": \"v\"\n    },\n    \"memory\": {"),
			strings.Replace(theirs, "    }\n  }", "    },\n    \"w\": {\n      \"command\": \"v\"\n    }\n  }", 1)},
		"a setting of our server": {"cursor", ".cursor/mcp.json", theirs, replace(`"args"`, "\"disabled\": false,\n      \"args\""), theirs},
		"a comment in our server": {"zed", ".config/zed/settings.json", "{\n  \"a\": 1\n}\n", replace(`"source"`, "// mine\n      \"source\""), "{\n  \"a\": 1\n}\n"},
		"a handler in our group": {"gemini", ".gemini/settings.json", "{\n  \"z\": 1\n}\n", replace("{\n            \"type\": \"command\"", "{ \"type\": \"command\", \"command\": \"theirs\" },\n          {\n            \"type\": \"command\""),
			"{\n  \"z\": 1,\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"theirs\" }\n        ]\n      }\n    ]\n  }\n}\n"},
		"trust by the client itself": {"codex", ".codex/config.toml", table, func(src string) string {
			at := strings.Index(src, "[hooks.state")
			return src[:at] + strings.ReplaceAll(strings.ReplaceAll(src[at:], "\r", ""), "sha256:", "sha256:other-")
		}, table},
		"a table between ours": {"codex", ".codex/config.toml", table, replace("[hooks.state", "[tui]\r\na = 1\r\n\r\n[hooks.state"), table + "\r\n[tui]\r\na = 1\r\n"},
		"a key of our table":   {"codex", ".codex/config.toml", table, replace("args = ", "startup_timeout_sec = 20\r\nargs = "), table},
		"an entry behind ours": {"goose", ".config/goose/config.yaml", "extensions:\n  dev:\n    enabled: true\n", func(src string) string { return src + "  w:\n    cmd: v\n" },
			"extensions:\n  dev:\n    enabled: true\n  w:\n    cmd: v\n"},
		"the paragraph twice": {"amp", ".config/amp/AGENTS.md", "Mine.\n", func(src string) string { return src + strings.TrimPrefix(src, "Mine.\n") }, "Mine.\n"},
		"an empty file":       {"amp", ".config/amp/AGENTS.md", "Mine.\n", func(string) string { return "" }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t, tt.client, map[string]string{tt.file: tt.before})
			h.trust(t)
			h.setUp(t)
			once := h.files(t)[tt.file]
			edited := tt.edit(once)
			if edited == once {
				t.Fatalf("the edit changes nothing:\n%s", once)
			}
			h.write(t, tt.file, edited)
			h.remove(t)
			if got := h.files(t)[tt.file]; got != tt.want || !isThere(filepath.Join(h.dir, tt.file)) {
				t.Errorf("the file is\n%q\nwant\n%q", got, tt.want)
			}
		})
	}
}

// TestFileOfSetupThatAClientWroteAgainGoes: it has nothing else.
func TestFileOfSetupThatAClientWroteAgainGoes(t *testing.T) {
	h := newHome(t, "cursor", nil)
	h.setUp(t)
	h.write(t, ".cursor/mcp.json", strings.ReplaceAll(h.files(t)[".cursor/mcp.json"], "  ", "\t"))
	h.remove(t)
	if got := h.files(t); len(got) > 0 {
		t.Errorf("left: %q", got)
	}
}

// TestHooksBehindOursKeepTheirTrust: it is bound to their positions, which the removal changes.
func TestHooksBehindOursKeepTheirTrust(t *testing.T) {
	h := newHome(t, "codex", nil)
	h.trust(t)
	h.setUp(t)
	hooks := filepath.Join(h.dir, ".codex", "hooks.json")
	const theirs = "        \"hooks\": [\n          {\n            \"command\": \"theirs\"\n          }\n        ]\n      }\n    ]\n"
	text := h.files(t)[".codex/hooks.json"]
	at := strings.LastIndex(text, "\n    ]\n")
	h.write(t, ".codex/hooks.json", text[:at]+",\n      {\n"+theirs+text[at+len("\n    ]\n"):])
	h.write(t, ".codex/config.toml", h.files(t)[".codex/config.toml"]+"\n[hooks.state.\""+hooks+":stop:1:0\"]\ntrusted_hash = \"theirs\"\n")
	h.remove(t)
	got := h.files(t)
	if want := "[hooks.state.\"" + hooks + ":stop:0:0\"]\ntrusted_hash = \"theirs\""; strings.TrimSpace(got[".codex/config.toml"]) != want {
		t.Errorf("the configuration is\n%s\nwant\n%s", got[".codex/config.toml"], want)
	}
	if want := "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n" + theirs + "  }\n}\n"; got[".codex/hooks.json"] != want {
		t.Errorf("the hooks are\n%s\nwant\n%s", got[".codex/hooks.json"], want)
	}
}

// TestRemoveOfABrokenFile changes nothing, and can be run again.
func TestRemoveOfABrokenFile(t *testing.T) {
	const name = ".cursor/mcp.json"
	h := newHome(t, "cursor", nil)
	h.setUp(t)
	whole := h.files(t)[name]
	h.write(t, name, whole[:len(whole)-2])
	if _, _, err := hostsetup.PrepareRemoval(h.options); err == nil || !strings.Contains(err.Error(), name+": the file cannot be edited") {
		t.Errorf("remove: %v", err)
	}
	h.write(t, name, whole)
	h.remove(t)
	if isThere(filepath.Join(h.dir, name)) {
		t.Error("the file is left")
	}
}
