package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// Every setting that config lists can be set to the value that get prints, and unset.
func TestEverySettingIsSetToWhatGetPrints(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: the race detector finds nothing")
	}
	state, dir := newStateAndNotes(t)
	runCommand(t, state, dir, "workspace", "add", dir, "--name", "notes")
	runCommand(t, state, dir, "config", "set", "identities.lena", "telegram:1, slack:U2")
	runCommand(t, state, dir, "config", "set", "scopes", "work agent=coder, home channel=slack")
	runCommand(t, state, dir, "config", "set", "workspaces.notes.globs", "a/**, b/*.md")
	var listed struct {
		Settings []struct{ Key, Source string }
	}
	if err := json.Unmarshal(runCommand(t, state, dir, "config", "--json").stdout.Bytes(), &listed); err != nil || len(listed.Settings) < 50 {
		t.Fatal(len(listed.Settings), err)
	}
	for _, s := range listed.Settings {
		value := strings.TrimSuffix(runCommand(t, state, dir, "config", "get", s.Key).stdout.String(), "\n")
		for _, value := range []string{value, value} { // as a new line, then in its place
			if set := runCommand(t, state, dir, "config", "set", s.Key, value); set.code != 0 {
				t.Errorf("config set %s %q: %d, %s", s.Key, value, set.code, &set.stderr)
			}
		}
		if got := runCommand(t, state, dir, "config", "get", s.Key).stdout.String(); got != value+"\n" {
			t.Errorf("%s is %q, was %q", s.Key, got, value)
		}
		if strings.HasSuffix(s.Key, ".path") {
			continue // a workspace needs it
		}
		if unset := runCommand(t, state, dir, "config", "unset", s.Key); unset.code != 0 {
			t.Errorf("config unset %s: %d, %s", s.Key, unset.code, &unset.stderr)
		}
		got := runCommand(t, state, dir, "config", "get", s.Key)
		if s.Source == "default" && got.stdout.String() != value+"\n" {
			t.Errorf("%s without a value of its own is %q, was %q", s.Key, &got.stdout, value)
		}
	}
}
