package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/must"
	plugin "github.com/memory-tiered/memory/plugin/openclaw"
)

// fakeOpenclaw is a host whose only agent has the folder notes beside the script.
const fakeOpenclaw = `#!/bin/sh
case "$*" in
--version) echo "OpenClaw 2026.9.6" ;;
"agents list --json") echo '[{"id": "main", "workspace": "'$(dirname "$0")'/notes"}]' ;;
"plugins inspect memory-tiered --runtime --json")
  echo '{"plugin": {"status": "loaded", "version": "0.1.0"}, "typedHooks": [{"name": "before_prompt_build"}]}' ;;
*) exit 1 ;;
esac
`

// setUpAtTerminal runs openclaw setup with what a person types, and returns what the
// person sees and the configuration of the host.
func setUpAtTerminal(t *testing.T, typed string, dirs ...string) (code int, seen, config string) {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("the fake host is a shell script")
	}
	home := t.TempDir()
	for _, dir := range dirs {
		writeFile(t, filepath.Join(home, dir, "openclaw.json"), "{}\n")
	}
	writeFile(t, filepath.Join(home, "openclaw"), fakeOpenclaw)
	must.Do(t, os.Chmod(filepath.Join(home, "openclaw"), 0o755))
	env := map[string]string{"HOME": home, "MEMORY_STATE_DIR": filepath.Join(home, "state"), "OPENCLAW_NIX_MODE": ""}
	var out bytes.Buffer
	a := &app{in: strings.NewReader(typed), out: &out, err: &out, terminal: true, width: defaultWidth, env: func(name string) string { return env[name] }}
	code = a.run(t.Context(), []string{"openclaw", "setup", "--no-service", "--openclaw", filepath.Join(home, "openclaw")})
	src := must.Get(os.ReadFile(filepath.Join(home, dirs[len(dirs)-1], "openclaw.json")))(t)
	return code, out.String(), string(src)
}

func TestSetupAsks(t *testing.T) {
	code, seen, config := setUpAtTerminal(t, "n\n", ".openclaw")
	if code != exitOK || config != "{}\n" || !strings.Contains(seen, "nothing was changed") || !strings.Contains(seen, `+  "plugins": {`) {
		t.Errorf("exit %d, configuration %s\n%s", code, config, seen)
	}
}

// TestAgentCommandsOfThePlugin compares the plugin's list of commands with an --agent of
// their own with the command table. "openclaw memory" passes the option on to these only.
func TestAgentCommandsOfThePlugin(t *testing.T) {
	src := must.Get(fs.ReadFile(plugin.Files(), "src/cli.js"))(t)
	list := regexp.MustCompile(`const agentCommands = (\[.*\]);`).FindSubmatch(src)
	if list == nil {
		t.Fatal("cli.js has no agentCommands")
	}
	var got, want []string
	must.Do(t, json.Unmarshal(list[1], &got))
	for _, c := range (&app{}).root().Commands() {
		if c.Flags().Lookup("agent") != nil {
			want = append(want, c.Name())
		}
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the plugin passes --agent to %q, the commands with it are %q", got, want)
	}
}
