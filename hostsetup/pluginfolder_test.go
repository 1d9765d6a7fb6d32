package hostsetup_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory/hostsetup"
	"github.com/memory-tiered/memory/internal/must"
)

var update = flag.Bool("update", false, "write the plugin folder from the table of clients")

// TestPluginFolderHasTheEntriesOfTheTable: a plugin does what setup does. Claude Code gives the
// server of a plugin a longer name.
func TestPluginFolderHasTheEntriesOfTheTable(t *testing.T) {
	home := t.TempDir()
	for _, dir := range []string{".claude", ".codex"} {
		must.Do(t, os.Mkdir(filepath.Join(home, dir), 0o700))
	}
	env := hostsetup.Environment{Home: home, Get: func(string) string { return "" }}
	for client, names := range map[string][]string{"claude-code": {"agents/hooks/hooks.json", "agents/claude.mcp.json"}, "codex": {"codex/hooks/hooks.json"}} {
		setup := must.Get(hostsetup.PrepareClient(t.Context(), hostsetup.ClientOptions{Client: clientNamed(client), Env: env, Program: "memory", StateDir: t.TempDir()}))(t)
		for i, name := range names {
			want := bytes.ReplaceAll(setup.Changes[i].After, []byte(`"server": "memory"`), []byte(`"server": "plugin:memory:memory"`))
			file := filepath.Join("..", "plugin", filepath.FromSlash(name))
			if *update {
				must.Do(t, os.WriteFile(file, want, 0o600))
			}
			if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s differs from the table: go test ./hostsetup -run PluginFolder -update\n%s%v", name, want, err)
			}
		}
	}
}
