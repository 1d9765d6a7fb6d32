package hostsetup_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory/hostsetup"
)

var update = flag.Bool("update", false, "write the plugin folder from the table of clients")

// TestPluginFolderHasTheEntriesOfTheTable: a plugin does what setup does. Claude Code gives the
// server of a plugin a longer name.
func TestPluginFolderHasTheEntriesOfTheTable(t *testing.T) {
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := hostsetup.Environment{Home: home, Get: func(string) string { return "" }}
	setup, err := hostsetup.PrepareClient(t.Context(), hostsetup.ClientOptions{Client: clientNamed("claude-code"), Env: env, Program: "memory", StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"hooks/hooks.json", "mcp.json"} {
		want := bytes.ReplaceAll(setup.Changes[i].After, []byte(`"server": "memory"`), []byte(`"server": "plugin:memory:memory"`))
		file := filepath.Join("..", "plugin", "agents", filepath.FromSlash(name))
		if *update {
			if err := os.WriteFile(file, want, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from the table: go test ./hostsetup -run PluginFolder -update\n%s%v", name, want, err)
		}
	}
}
