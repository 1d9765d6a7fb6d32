package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/internal/must"
)

// Settings come from the person's own file and environment. A folder from someone else,
// a clone for example, declares each of them in every place that a program might read, and
// changes none. It chooses no model, no server and no other folder.
func TestNothingInAFolderChangesASetting(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: the race detector finds nothing")
	}
	state, dir := newStateAndNotes(t)
	t.Chdir(dir)
	runCommand(t, state, dir, "workspace", "add", dir, "--name", "notes")
	before := listedSettings(t, state, dir)
	if len(before) < 50 {
		t.Fatalf("%d settings are listed", len(before))
	}

	yaml := "embedding:\n  provider: openai\n  baseUrl: http://127.0.0.1:1/v1\n  apiKey: env:HOME\n" +
		"  local: {modelPath: model}\nautoCapture: false\nworkspaces:\n  evil: {path: /etc}\nnative: claude-code=/\n"
	var environ, flat strings.Builder
	for _, k := range config.Keys() {
		environ.WriteString(k.Env + "=1\n")
		flat.WriteString(k.Name + ": 1\n")
	}
	for _, name := range []string{"config.yaml", "memory.yaml", ".memory.yaml", ".memory/config.yaml", "memory/config.yaml", "memory/.decisions.yaml",
		".config/memory/config.yaml", ".openclaw/memory/config.yaml"} {
		writeFile(t, filepath.Join(dir, name), yaml)
	}
	for _, name := range []string{".env", ".envrc", "memory/.env"} {
		writeFile(t, filepath.Join(dir, name), environ.String())
	}
	writeFile(t, filepath.Join(dir, "MEMORY.md"), "---\n"+yaml+flat.String()+"---\n- A blue heron lives by the mill pond\n")
	writeFile(t, filepath.Join(dir, ".obsidian", "daily-notes.json"), `{"folder": "../../outside", "format": "YYYY"}`)

	runCommand(t, state, dir, "index")
	runCommand(t, state, dir, "search", "heron")
	if after := listedSettings(t, state, dir); !slices.Equal(after, before) {
		t.Errorf("the settings are\n%q, were\n%q", after, before)
	}
}

// settingLine is a setting as config lists it.
type settingLine struct{ Key, Value, Source string }

func listedSettings(t *testing.T, state, dir string) []settingLine {
	t.Helper()
	var listed struct {
		Settings []struct {
			Key, Source string
			Value       any
		}
	}
	must.Do(t, json.Unmarshal(runCommand(t, state, dir, "config", "--json").stdout.Bytes(), &listed))
	var lines []settingLine
	for _, s := range listed.Settings {
		value := must.Get(json.Marshal(s.Value))(t)
		lines = append(lines, settingLine{s.Key, string(value), s.Source})
	}
	return lines
}
