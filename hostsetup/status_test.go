package hostsetup_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/hostsetup"
	"github.com/memory-tiered/memory/internal/must"
)

func TestStatusTellsWhatIsInert(t *testing.T) {
	started := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		break_ func(*world)
		want   string // a part of an error; empty: everything works
	}{
		"everything works":   {func(*world) {}, ""},
		"another slot":       {func(w *world) { w.edit(t, `"memory": "memory-tiered"`, `"memory": "memory-lancedb"`) }, "the memory slot belongs to memory-lancedb"},
		"no permission":      {func(w *world) { w.edit(t, `"allowConversationAccess": true`, `"allowConversationAccess": false`) }, "recall and capture are inert"},
		"turned off":         {func(w *world) { w.edit(t, `"enabled": true`, `"enabled": false`) }, "the plugin is turned off"},
		"no service":         {func(w *world) { w.machine.daemon = "" }, "the service does not answer"},
		"not registered":     {func(w *world) { w.machine.workspaces = nil }, "the folder of the agent main is not registered"},
		"no turn":            {func(w *world) { w.machine.turn = time.Time{} }, "no hook of the plugin has fired yet"},
		"no turn since then": {func(w *world) { w.machine.turn = started.Add(-time.Minute) }, "no hook of the plugin has fired since the host started"},
		"not loaded":         {func(w *world) { w.write(t, "status", "error"); w.options.Deep = true }, "the host does not load the plugin"},
		"no hook":            {func(w *world) { w.write(t, "silent", ""); w.options.Deep = true }, "does not run the plugin's hook before_prompt_build"},
		"asked, and works":   {func(w *world) { w.options.Deep = true }, ""},
		"no path":            {func(w *world) { w.edit(t, `"paths": [`, `"paths": [], "others": [`) }, "plugins.load.paths lacks"},
		"not allowed":        {func(w *world) { w.edit(t, `"slots": {`, `"allow": ["telegram"], "slots": {`) }, "plugins.allow lacks memory-tiered"},
		"denied":             {func(w *world) { w.edit(t, `"slots": {`, `"deny": ["memory-tiered"], "slots": {`) }, "plugins.deny lists memory-tiered"},
		"plugins off":        {func(w *world) { w.edit(t, `"slots": {`, `"enabled": false, "slots": {`) }, "plugins.enabled is false"},
		"an old host":        {func(w *world) { w.write(t, "package.json", `{"name": "openclaw", "version": "2026.1.1"}`) }, "OpenClaw 2026.1.1 is too old"},
		"no plugin":          {func(w *world) { w.dropPlugin(t) }, "is missing or of another version"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.configure(t, "{\n}\n")
			w.setUp(t)
			w.machine.daemon, w.machine.turn = "0.1.0", started.Add(time.Minute)
			w.startGateway(t, started, os.Getpid())
			tt.break_(w)
			report := must.Get(hostsetup.Status(t.Context(), w.options))(t)
			var errors []string
			for _, f := range report.Findings {
				if f.Severity == hostsetup.Failed {
					errors = append(errors, f.Message)
				}
			}
			if report.OK != (tt.want == "") || !strings.Contains(strings.Join(errors, "\n"), tt.want) || report.OK != (len(errors) == 0) {
				t.Errorf("ok = %t, errors: %q, want %s", report.OK, errors, tt.want)
			}
		})
	}
}

// TestStatusStartsNoHost shows that a status reads files, unless it is asked for more.
func TestStatusStartsNoHost(t *testing.T) {
	w := newWorld(t)
	w.configure(t, "{\n  \"agents\": {},\n}\n")
	w.setUp(t)
	w.machine.daemon, w.machine.turn = "0.1.0", time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	w.write(t, "openclaw", "#!/bin/sh\ntouch \"$(dirname \"$0\")/started\"\nexit 1\n")
	started := filepath.Join(w.dir, "started")
	report := must.Get(hostsetup.Status(t.Context(), w.options))(t)
	if _, err := os.Stat(started); err == nil || !report.OK {
		t.Errorf("the host was started: %t; ok = %t", err == nil, report.OK)
	}
	w.options.Deep = true
	must.Get(hostsetup.Status(t.Context(), w.options))(t)
	if _, err := os.Stat(started); err != nil {
		t.Error("a deep status does not ask the host")
	}
}

// TestStatusAfterARemoval shows that nothing of a plugin that is gone counts as good.
func TestStatusAfterARemoval(t *testing.T) {
	w := newWorld(t)
	w.configure(t, "{}")
	w.setUp(t)
	w.remove(t)
	report := must.Get(hostsetup.Status(t.Context(), w.options))(t)
	for _, f := range report.Findings {
		if f.Severity == hostsetup.OK && f.Check != "service" {
			t.Errorf("%s: %s", f.Check, f.Message)
		}
	}
	if report.OK {
		t.Error("the report is good")
	}
}

func (w *world) edit(t *testing.T, old, new string) {
	t.Helper()
	w.configure(t, strings.Replace(w.configuration(t), old, new, 1))
}

func (w *world) dropPlugin(t *testing.T) {
	t.Helper()
	must.Do(t, os.Remove(filepath.Join(hostsetup.PluginDir(w.stateDir), "package.json")))
}

// startGateway writes the lock file of a running gateway.
func (w *world) startGateway(t *testing.T, at time.Time, pid int) {
	t.Helper()
	dir := filepath.Join(w.options.Host.Installation.StateDir, "tmp", fmt.Sprintf("openclaw-%d", os.Getuid()))
	writeFile(t, filepath.Join(dir, "gateway.state.lock"), fmt.Sprintf(`{"pid":%d,"createdAt":%q,"configPath":"x","port":1}`, pid, at.Format(time.RFC3339Nano)))
}

func TestStatusWarnsOfWhatTheHostKeeps(t *testing.T) {
	w := newWorld(t)
	w.options.Choices = hostsetup.Choices{KeepDreaming: true, KeepTrajectory: true}
	w.setUp(t)
	w.machine.daemon, w.machine.turn = "0.1.0", time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	report := must.Get(hostsetup.Status(t.Context(), w.options))(t)
	var warnings []string
	for _, f := range report.Findings {
		if f.Severity == hostsetup.Warning {
			warnings = append(warnings, f.Check)
		}
	}
	if !report.OK || strings.Join(warnings, " ") != "dreaming trajectory" {
		t.Errorf("ok = %t, warnings: %q", report.OK, warnings)
	}
	if report.HostStarted != nil {
		t.Errorf("no gateway runs, but it started at %v", report.HostStarted)
	}
}

func TestFindInstallations(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home [1]")
	variables := map[string]string{}
	env := hostsetup.Environment{Home: home, Get: func(name string) string { return variables[name] }}
	if found := hostsetup.Find(env); len(found) != 0 {
		t.Errorf("an empty home has %v", found)
	}
	for _, dir := range []string{".openclaw", ".openclaw-work", ".openclaw-empty"} {
		must.Do(t, os.MkdirAll(filepath.Join(home, dir), 0o755))
	}
	if found := hostsetup.Find(env); len(found) != 1 || found[0] != hostsetup.At(filepath.Join(home, ".openclaw")) {
		t.Errorf("without a configuration: %v", found)
	}
	writeFile(t, filepath.Join(home, ".openclaw", "openclaw.json"), "{}")
	writeFile(t, filepath.Join(home, ".openclaw-work", "openclaw.json"), "{}")
	if found := hostsetup.Find(env); len(found) != 2 || found[1].StateDir != filepath.Join(home, ".openclaw-work") {
		t.Errorf("found %v", found)
	}
	if _, named := hostsetup.Named(env); named {
		t.Error("the environment names an installation")
	}
	variables["OPENCLAW_CONFIG_PATH"] = "~/other.json"
	if i, named := hostsetup.Named(env); !named || i.Config != filepath.Join(home, "other.json") || i.StateDir != filepath.Join(home, ".openclaw") {
		t.Errorf("OPENCLAW_CONFIG_PATH names %+v", i)
	}
	variables["OPENCLAW_CONFIG_PATH"], variables["OPENCLAW_STATE_DIR"] = "", "~/.openclaw-work"
	if i, named := hostsetup.Named(env); !named || i != hostsetup.At(filepath.Join(home, ".openclaw-work")) {
		t.Errorf("OPENCLAW_STATE_DIR names %+v", i)
	}
}
