package hostsetup_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/hostsetup"
	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/internal/must"
)

const commented = `// my agent
{
  "agents": { "defaults": { "workspace": "~/notes" } }, // where it lives
  "plugins": {
    "slots": { "memory": "memory-lancedb" }, /* the old one */
    "allow": ["telegram"],
  },
}
`

func TestSetupAndRemoveKeepEveryByte(t *testing.T) {
	for name, before := range map[string]string{
		"comments":        commented,
		"no plugins":      "{\"agents\": {}}",
		"CRLF":            "{\r\n  // mine\r\n  \"gateway\": { \"port\": 1 }\r\n}\r\n",
		"an empty object": "{}",
		"no file":         "",
		"a former entry":  `{"plugins": {"entries": {"memory-tiered": {"enabled": false, "config": {"autoRecall": false}}}, "load": {"paths": []}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if before != "" {
				w.configure(t, before)
			}
			s := w.setUp(t)
			after := w.configuration(t)
			if strings.Count(after, "//") < strings.Count(before, "//") || len(s.Plan.Changes) == 0 {
				t.Errorf("the configuration became\n%s", after)
			}
			if len(w.machine.workspaces) != 1 || !w.machine.service {
				t.Errorf("workspaces %v, service %t", w.machine.workspaces, w.machine.service)
			}
			if removal := w.remove(t); removal.Config != "restored" || removal.Backup != "" {
				t.Errorf("removal = %+v", removal)
			}
			if got := w.configuration(t); got != before {
				t.Errorf("after the removal:\n%s\nwant\n%s", got, before)
			}
			w.checkNothingLeft(t)
		})
	}
}

func TestSetupSetsWhatTheHostNeeds(t *testing.T) {
	w := newWorld(t)
	w.configure(t, commented)
	s := w.setUp(t)
	var paths []string
	for _, c := range s.Plan.Changes {
		paths = append(paths, c.Path)
	}
	want := "plugins.load.paths plugins.slots.memory plugins.entries.memory-tiered.enabled plugins.entries.memory-tiered.hooks.allowConversationAccess " +
		"plugins.entries.memory-tiered.config.stateDir plugins.entries.memory-tiered.config.binary plugins.entries.memory-tiered.config.dreaming.enabled " +
		"plugins.entries.memory-tiered.config.dreaming.phases.light.enabled plugins.entries.memory-tiered.config.dreaming.phases.deep.enabled " +
		"plugins.entries.memory-tiered.config.dreaming.phases.rem.enabled env.vars.OPENCLAW_TRAJECTORY plugins.allow"
	if got := strings.Join(paths, " "); got != want {
		t.Errorf("changes: %s\nwant     %s", got, want)
	}
	if warnings := strings.Join(s.Warnings(), "\n"); !strings.Contains(warnings, "memory-lancedb loses the memory slot") {
		t.Errorf("warnings: %s", warnings)
	}
	w.options.Choices = hostsetup.Choices{KeepDreaming: true, KeepTrajectory: true}
	if again := w.prepare(t); len(again.Plan.Changes) != 0 {
		t.Errorf("a second setup changes %v", again.Plan.Changes)
	}
}

func TestKeptChoicesAreNotChanged(t *testing.T) {
	w := newWorld(t)
	w.configure(t, commented)
	w.options.Choices = hostsetup.Choices{KeepDreaming: true, KeepTrajectory: true}
	w.setUp(t)
	if got := w.configuration(t); strings.Contains(got, "dreaming") || strings.Contains(got, "TRAJECTORY") {
		t.Errorf("the configuration is\n%s", got)
	}
}

// TestKilledSetup ends a setup after each step. It can be taken back, and run again.
func TestKilledSetup(t *testing.T) {
	for n := range newWorldSteps(t) + 1 {
		for _, again := range []bool{false, true} {
			w := newWorld(t)
			w.configure(t, commented)
			s := w.prepare(t)
			must.Do(t, s.RunFirst(t.Context(), n))
			if got := w.configuration(t); n < s.StepCount() && got != commented {
				t.Errorf("after %d steps the configuration is\n%s", n, got)
			}
			if again {
				w.setUp(t)
			}
			if n > 0 || again {
				w.remove(t)
			}
			if got := w.configuration(t); got != commented {
				t.Errorf("%d steps, again %t: the configuration is\n%s", n, again, got)
			}
			w.checkNothingLeft(t)
		}
	}
}

// TestSetupKilledWithinAStep: a workspace is recorded and not registered, or registered
// without a record of what that changed, and files are half written.
func TestSetupKilledWithinAStep(t *testing.T) {
	for _, when := range []string{"before", "after"} {
		for _, again := range []bool{false, true} {
			w := newWorld(t)
			w.configure(t, commented)
			w.machine.killed = when
			s := w.prepare(t)
			if err := s.RunFirst(t.Context(), s.StepCount()); err == nil {
				t.Fatal("the setup was not killed")
			}
			w.machine.killed = ""
			writeFile(t, temporaryOf(filepath.Join(hostsetup.Folder(w.stateDir), "record.json")), "{")
			writeFile(t, temporaryOf(w.options.Host.Installation.Config), "{")
			writeFile(t, filepath.Join(hostsetup.PluginDir(w.stateDir)+".new", "package.json"), "{")
			writeFile(t, filepath.Join(hostsetup.Folder(w.stateDir), "shown.json"), "{}") // the plugin keeps it
			if again {
				w.setUp(t)
			}
			w.remove(t)
			if got := w.configuration(t); got != commented {
				t.Errorf("killed %s, again %t: the configuration is\n%s", when, again, got)
			}
			w.checkNothingLeft(t)
		}
	}
}

// temporaryOf returns a name that a half-written file has.
func temporaryOf(path string) string {
	return filepath.Join(filepath.Dir(path), atomicfile.TemporaryPrefix(path)+"1")
}

func newWorldSteps(t *testing.T) int { return newWorld(t).prepare(t).StepCount() }

func TestFailedSetupIsTakenBack(t *testing.T) {
	refused := memory.Unavailable(nil, "refused")
	for name, fail := range map[string]func(*world){
		"the service manager refuses": func(w *world) { w.machine.refuseService = refused },
		"a folder cannot be served":   func(w *world) { w.machine.refuseRegister = refused },
		"the host refuses the plugin": func(w *world) { w.write(t, "status", "error") },
		"the hook does not run":       func(w *world) { w.write(t, "silent", "") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.configure(t, commented)
			fail(w)
			s := w.prepare(t)
			err := s.Run(t.Context())
			if err == nil {
				_, err = s.Check(t.Context())
			}
			if !errors.Is(err, memory.ErrUnavailable) {
				t.Errorf("the setup: %v", err)
			}
			if got := w.configuration(t); got != commented {
				t.Errorf("the configuration is\n%s", got)
			}
			w.checkNothingLeft(t)
		})
	}
}

func TestRefusedUpgradeKeepsTheFormerSetup(t *testing.T) {
	w := newWorld(t)
	w.configure(t, commented)
	w.setUp(t)
	before := w.configuration(t)
	w.options.Plugin = fstest.MapFS{"package.json": {Data: []byte(`{"version":"0.2.0"}`)}}
	w.machine.refuseService = memory.Unavailable(nil, "refused")
	if err := w.prepare(t).Run(t.Context()); err == nil {
		t.Fatal("the setup succeeded")
	}
	if got := w.configuration(t); got != before {
		t.Errorf("the configuration is\n%s", got)
	}
	w.machine.refuseService = nil
	w.setUp(t)
	if _, err := os.Stat(filepath.Join(hostsetup.PluginDir(w.stateDir), "src")); err == nil {
		t.Error("a file of the old plugin is left")
	}
	w.remove(t)
	if got := w.configuration(t); got != commented {
		t.Errorf("after the removal:\n%s", got)
	}
}

func TestConfigurationThatChangedMeanwhileStays(t *testing.T) {
	w := newWorld(t)
	w.configure(t, commented)
	s := w.prepare(t)
	edited := strings.Replace(commented, "telegram", "signal", 1)
	w.configure(t, edited)
	if err := s.Run(t.Context()); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("Run: %v", err)
	}
	if got := w.configuration(t); got != edited {
		t.Errorf("the configuration is\n%s", got)
	}
	w.checkNothingLeft(t)
}

func TestUnusableConfigurationIsRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		config, want string
		mode         os.FileMode
		kind         error
	}{
		"a syntax error":     {"{ \"plugins\": \n", "cannot be edited: hujson: line 2", 0o600, memory.ErrInvalid},
		"an empty file":      {" ", "cannot be edited", 0o600, memory.ErrInvalid},
		"a list":             {"[]", "not an object", 0o600, memory.ErrInvalid},
		"a read-only file":   {"{}", "read-only", 0o400, memory.ErrForbidden},
		"a key of JSON5":     {"{plugins: {}}", "cannot be edited: hujson: line 1", 0o600, memory.ErrInvalid},
		"plugins are off":    {`{"plugins": {"enabled": false}}`, "plugins.enabled is false", 0o600, memory.ErrConflict},
		"the plugin denied":  {`{"plugins": {"deny": ["memory-tiered"]}}`, "plugins.deny", 0o600, memory.ErrConflict},
		"slots is no object": {`{"plugins": {"slots": 1}}`, "plugins.slots.memory cannot be set", 0o600, memory.ErrConflict},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.configure(t, tt.config)
			file := w.options.Host.Installation.Config
			must.Do(t, os.Chmod(file, tt.mode))
			_, err := hostsetup.Prepare(t.Context(), w.options)
			if !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Prepare: %v, want %s", err, tt.want)
			}
			if got := w.configuration(t); got != tt.config {
				t.Errorf("the configuration is\n%s", got)
			}
			w.checkNothingLeft(t)
		})
	}
}

// A preview shows the changes that a person then makes.
func TestPreviewOfAReadOnlyConfiguration(t *testing.T) {
	w := newWorld(t)
	w.configure(t, "{}")
	file := w.options.Host.Installation.Config
	must.Do(t, os.Chmod(file, 0o400))
	w.options.Preview = true
	s, err := hostsetup.Prepare(t.Context(), w.options)
	if err != nil || !strings.Contains(s.Plan.Diff(file), "plugins") {
		t.Errorf("Prepare: %v", err)
	}
	w.checkNothingLeft(t)
}

func TestDatabaseOfLanceDBOffersTheMigration(t *testing.T) {
	w := newWorld(t)
	named := filepath.Join(t.TempDir(), "lance")
	home := filepath.Dir(filepath.Dir(w.stateDir))
	w.options.Host.Environ = append(w.options.Host.Environ, "HOME="+home)
	for dbPath, want := range map[string][]string{
		"s3://bucket/lance": {w.stateDir + "/lancedb"},
		named:               {w.stateDir + "/lancedb", named},
		"~/lance":           {w.stateDir + "/lancedb", home + "/lance"},
	} {
		for _, dir := range want {
			must.Do(t, os.MkdirAll(dir, 0o755))
		}
		w.configure(t, `{"plugins": {"entries": {"memory-lancedb": {"config": {"dbPath": "`+dbPath+`"}}}}}`)
		warnings := w.prepare(t).Warnings()
		if len(warnings) != len(want) {
			t.Fatalf("%s: warnings %q", dbPath, warnings)
		}
		for i, dir := range want {
			if strings.Contains(dir, " ") {
				dir = "'" + dir + "'"
			}
			if !strings.HasSuffix(warnings[i], ": memory migrate --from lancedb "+dir) {
				t.Errorf("%s: warning %q, want the folder %s", dbPath, warnings[i], dir)
			}
		}
	}
}

func TestHostOfAnotherVersion(t *testing.T) {
	w := newWorld(t)
	w.write(t, "version", "2026.9.5")
	if _, _, err := w.options.Host.Version(t.Context()); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("an older host: %v", err)
	}
	w.write(t, "version", "2026.10.1")
	if version, note, err := w.options.Host.Version(t.Context()); err != nil || version != "2026.10.1" || !strings.Contains(note, "newer") {
		t.Errorf("a newer host: %q, %q, %v", version, note, err)
	}
}

func TestDiffMasksSecrets(t *testing.T) {
	w := newWorld(t)
	const token = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
	w.configure(t, "{\n  \"apiKey\": \""+token+"\",\n}\n")
	s := w.prepare(t)
	diff := s.Plan.Diff("openclaw.json")
	if strings.Contains(diff, token) || !strings.Contains(diff, "+  \"plugins\": {") {
		t.Errorf("the diff is\n%s", diff)
	}
}
