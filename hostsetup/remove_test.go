package hostsetup_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/hostsetup"
	"github.com/memory-tiered/memory/internal/must"
)

// TestRemoveAfterEditsTakesOnlyOurChangesBack: what others changed since the setup
// stays.
func TestRemoveAfterEditsTakesOnlyOurChangesBack(t *testing.T) {
	replace := func(old, new string) func(string) string {
		return func(text string) string { return strings.Replace(text, old, new, 1) }
	}
	for name, tt := range map[string]struct {
		before string
		edit   func(string) string
		want   string
		kept   string
	}{
		"another line": {"{\n  // mine\n  \"a\": 1,\n}\n", replace(`"a": 1`, `"a": 2`), "{\n  // mine\n  \"a\": 2,\n}\n", ""},
		"a new plugin": {"{}", replace(`"plugins": {`, `"plugins": {
    "deny": ["x"],`), "{\n  \"plugins\": {\n    \"deny\": [\"x\"]\n  }\n}", ""},
		"what was empty": {"{\n  \"a\": 1,\n  \"plugins\": {\n    \"allow\": [],\n    \"entries\": {},\n    \"load\": {\n      \"paths\": []\n    }\n  }\n}\n", replace(`"a": 1`, `"a": 2`),
			"{\n  \"a\": 2,\n  \"plugins\": {\n    \"allow\": [],\n    \"entries\": {},\n    \"load\": {\n      \"paths\": []\n    }\n  }\n}\n", ""},
		"another memory": {`{"plugins": {"slots": {"memory": "a"}}}`, replace(`"memory": "memory-tiered"`, `"memory": "b"`),
			"{\"plugins\": {\"slots\": {\"memory\": \"b\"}}\n}", "plugins.slots.memory"},
		"a setting of ours": {`{"a": 1}`, replace(`"enabled": true`, `"enabled": true, "env": {"x": 1}`), "{\"a\": 1\n}", ""},
		"another load path": {`{"a": 1}`, replace(`"paths": [`, `"paths": ["/mine", `), "{\"a\": 1,\n  \"plugins\": {\n    \"load\": {\n      \"paths\": [\"/mine\"\n      ]\n    }\n  }\n}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.configure(t, tt.before)
			w.setUp(t)
			edited := tt.edit(w.configuration(t))
			if edited == w.configuration(t) {
				t.Fatalf("the edit changes nothing:\n%s", edited)
			}
			w.configure(t, edited)
			removal := w.remove(t)
			if removal.Config != "reverted" || strings.Join(removal.Kept, " ") != tt.kept || removal.Backup == "" {
				t.Errorf("removal = %+v", removal)
			}
			if got := w.configuration(t); got != tt.want {
				t.Errorf("the configuration is\n%q\nwant\n%q", got, tt.want)
			}
			if src, err := os.ReadFile(removal.Backup); err != nil || string(src) != tt.before {
				t.Errorf("the backup is %q, %v", src, err)
			}
		})
	}
}

// TestRemoveAfterTheHostWroteItsConfiguration: the host writes JSON without comments,
// in another order, with values of its own.
func TestRemoveAfterTheHostWroteItsConfiguration(t *testing.T) {
	w := newWorld(t)
	w.configure(t, commented)
	w.setUp(t)
	written := `{
  "agents": {"defaults": {"workspace": "~/notes"}},
  "env": {"vars": {"OPENCLAW_TRAJECTORY": "0"}},
  "plugins": {
    "allow": ["telegram", "memory-tiered"],
    "slots": {"memory": "memory-tiered"},
    "load": {"paths": ["` + hostsetup.PluginDir(w.stateDir) + `"]},
    "entries": {"memory-tiered": {"enabled": true, "hooks": {"allowConversationAccess": true},
      "config": {"stateDir": "` + w.stateDir + `", "dreaming": {"enabled": true, "phases": {"light": {"enabled": false}, "deep": {"enabled": false}, "rem": {"enabled": false}}}}}}
  },
  "meta": {"lastTouchedVersion": "2026.9.6"}
}
`
	w.configure(t, written)
	if removal := w.remove(t); removal.Config != "reverted" || len(removal.Kept) > 0 {
		t.Errorf("removal = %+v", removal)
	}
	want := `{
  "agents": {"defaults": {"workspace": "~/notes"}},
  "plugins": {
    "allow": ["telegram"],
    "slots": {"memory": "memory-lancedb"}
  },
  "meta": {"lastTouchedVersion": "2026.9.6"}
}
`
	if got := w.configuration(t); got != want {
		t.Errorf("the configuration is\n%s\nwant\n%s", got, want)
	}
}

func TestRemoveOfABrokenConfigurationChangesNothing(t *testing.T) {
	w := newWorld(t)
	w.configure(t, commented)
	w.setUp(t)
	w.configure(t, "{ broken")
	if _, err := hostsetup.Remove(t.Context(), w.options); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("Remove: %v", err)
	}
	if !w.machine.service || len(w.machine.workspaces) == 0 {
		t.Error("a part of the setup is gone")
	}
	w.configure(t, commented)
	w.remove(t)
	w.checkNothingLeft(t)
}

func TestRemoveTakesTheNotesOfThePluginAway(t *testing.T) {
	w := newWorld(t)
	w.configure(t, "{}")
	w.setUp(t)
	notes := filepath.Join(hostsetup.Folder(w.stateDir), "shown")
	must.Do(t, os.MkdirAll(notes, 0o700))
	must.Do(t, os.WriteFile(filepath.Join(notes, "0a1b.json"), []byte("{}"), 0o600))
	w.remove(t)
	if _, err := os.Stat(notes); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the notes are still there: %v", err)
	}
}

func TestRemoveWithoutASetup(t *testing.T) {
	w := newWorld(t)
	if _, err := hostsetup.Remove(t.Context(), w.options); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("Remove: %v", err)
	}
}

// TestRemoveKeepsWhatWasThereBefore: a workspace and a service that the setup found
// are not its own.
func TestRemoveKeepsWhatWasThereBefore(t *testing.T) {
	w := newWorld(t)
	w.configure(t, commented)
	folder := t.TempDir()
	w.agents(t, "main", folder)
	w.machine.service = true
	must.Get(w.machine.Register(t.Context(), "notes", folder))(t)
	s := w.setUp(t)
	if s.Agents[0].Workspace != "notes" || s.Agents[0].Added {
		t.Errorf("agents = %+v", s.Agents)
	}
	w.remove(t)
	if !w.machine.service || len(w.machine.workspaces) != 1 {
		t.Errorf("service %t, workspaces %v", w.machine.service, w.machine.workspaces)
	}
}
