package hostsetup_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/hostsetup"
	"github.com/memory-tiered/memory/internal/must"
)

// fakeHost is a script that stands in for the openclaw program. It loads the plugin
// if its configuration names it, and runs its recall hook if that is permitted.
const fakeHost = `#!/bin/sh
here=$(dirname "$0")
case "$*" in
--version) echo "OpenClaw $(cat "$here/version") (abc)" ;;
"agents list --json") echo "a line of a log"; cat "$here/agents.json" ;;
"plugins inspect memory-tiered --runtime --json")
  grep -q memory-tiered "$OPENCLAW_CONFIG_PATH" 2>/dev/null || { echo "Plugin not found: memory-tiered" >&2; exit 1; }
  hooks=
  grep -q allowConversationAccess "$OPENCLAW_CONFIG_PATH" && test ! -e "$here/silent" && hooks='{"name":"before_prompt_build"}'
  echo '{"plugin":{"id":"memory-tiered","status":"'$(cat "$here/status")'","version":"0.1.0"},"typedHooks":['$hooks'],"customHooks":[{"name":"b","events":["agent:bootstrap"]}],"tools":[{"names":["memory_search"]}],"diagnostics":[{"level":"warn","pluginId":"memory-tiered","message":"a warning"}]}' ;;
*) echo "unexpected: $*" >&2; exit 1 ;;
esac
`

// world is a home folder with an installation of a fake host.
type world struct {
	dir      string // of the host's program and its answers
	machine  *fakeMachine
	options  hostsetup.Options
	stateDir string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("the fake host is a shell script")
	}
	root := filepath.Join(t.TempDir(), "home folder")
	w := &world{dir: filepath.Join(root, "bin"), stateDir: filepath.Join(root, ".openclaw", "memory")}
	w.machine = &fakeMachine{config: filepath.Join(w.stateDir, "config.yaml")}
	w.write(t, "openclaw", fakeHost)
	w.write(t, "version", "2026.9.6")
	w.write(t, "status", "loaded")
	w.agents(t, "main", filepath.Join(root, ".openclaw", "workspace"))
	must.Do(t, os.Chmod(filepath.Join(w.dir, "openclaw"), 0o755))
	w.options = hostsetup.Options{
		Host: hostsetup.Host{Command: filepath.Join(w.dir, "openclaw"), Environ: os.Environ(),
			Installation: hostsetup.At(filepath.Join(root, ".openclaw"))},
		StateDir: w.stateDir, Config: w.machine.config, Binary: "/opt/memory", Machine: w.machine, Service: true,
		Plugin: fstest.MapFS{"package.json": {Data: []byte(`{"version":"0.1.0"}`)}, "src/index.js": {Data: []byte("export default {}\n")}},
	}
	return w
}

func (w *world) write(t *testing.T, name, text string) {
	writeFile(t, filepath.Join(w.dir, name), text)
}

// agents makes the host list agents: pairs of an id and a folder.
func (w *world) agents(t *testing.T, pairs ...string) {
	t.Helper()
	var list []string
	for pair := range slices.Chunk(pairs, 2) {
		list = append(list, `{"id":"`+pair[0]+`","workspace":"`+pair[1]+`"}`)
	}
	w.write(t, "agents.json", "[\n"+strings.Join(list, ",\n")+"\n]\n")
}

func (w *world) configure(t *testing.T, text string) {
	t.Helper()
	writeFile(t, w.options.Host.Installation.Config, text)
}

func (w *world) configuration(t *testing.T) string {
	t.Helper()
	src, err := os.ReadFile(w.options.Host.Installation.Config)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(src)
}

func (w *world) prepare(t *testing.T) *hostsetup.Setup {
	t.Helper()
	s := must.Get(hostsetup.Prepare(t.Context(), w.options))(t)
	return s
}

// setUp runs a whole setup.
func (w *world) setUp(t *testing.T) *hostsetup.Setup {
	t.Helper()
	s := w.prepare(t)
	must.Do(t, s.Run(t.Context()))
	must.Get(s.Check(t.Context()))(t)
	return s
}

func (w *world) remove(t *testing.T) hostsetup.Removal {
	t.Helper()
	removal := must.Get(hostsetup.Remove(t.Context(), w.options))(t)
	return removal
}

// checkNothingLeft fails if anything of a setup is left.
func (w *world) checkNothingLeft(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(hostsetup.Folder(w.stateDir)); err == nil {
		t.Error("the folder of the setup is left")
	}
	if len(w.machine.workspaces) > 0 || w.machine.service {
		t.Errorf("left: workspaces %v, service %t", w.machine.workspaces, w.machine.service)
	}
	if src, err := os.ReadFile(w.machine.config); err == nil {
		t.Errorf("the service's configuration is left: %s", src)
	}
	entries := must.Get(os.ReadDir(w.options.Host.Installation.StateDir))(t)
	for _, e := range entries {
		if name := e.Name(); name != "openclaw.json" && name != "memory" && name != "workspace" {
			t.Errorf("%s is left in the host's folder", name)
		}
	}
}

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must.Do(t, os.WriteFile(file, []byte(text), 0o600))
}

// fakeMachine has workspaces, which it lists in its configuration, and a service.
type fakeMachine struct {
	config     string
	workspaces []memory.WorkspaceInfo
	service    bool
	daemon     string
	turn       time.Time

	refuseService, refuseRegister error
	killed                        string // Register ends the setup as a kill does: "before" or "after" it registers
}

func (m *fakeMachine) Workspaces(context.Context) ([]memory.WorkspaceInfo, error) {
	return m.workspaces, nil
}

func (m *fakeMachine) Register(_ context.Context, name, dir string) (string, error) {
	if m.refuseRegister != nil {
		return "", m.refuseRegister
	}
	if m.killed == "before" {
		return "", errKilled
	}
	m.workspaces = append(m.workspaces, memory.WorkspaceInfo{Name: name, Path: dir})
	if err := m.save(); err != nil || m.killed == "" {
		return name, err
	}
	return "", errKilled
}

var errKilled = errors.New("killed")

func (m *fakeMachine) Unregister(_ context.Context, name string) error {
	left := slices.DeleteFunc(slices.Clone(m.workspaces), func(w memory.WorkspaceInfo) bool { return w.Name == name })
	if len(left) == len(m.workspaces) {
		return &memory.Error{Kind: memory.ErrNotFound, Message: "no workspace is named " + name}
	}
	m.workspaces = left
	return m.save()
}

func (m *fakeMachine) save() error {
	text := ""
	if len(m.workspaces) > 0 {
		text = "workspaces:\n"
	}
	for _, w := range m.workspaces {
		text += "  " + w.Name + ": " + w.Path + "\n"
	}
	return errors.Join(os.MkdirAll(filepath.Dir(m.config), 0o700), os.WriteFile(m.config, []byte(text), 0o600))
}

func (m *fakeMachine) Follow(context.Context, string) (bool, error) { return false, nil }

func (m *fakeMachine) Unfollow(string) error { return nil }

func (m *fakeMachine) ServiceInstalled(context.Context) (bool, error) { return m.service, nil }

func (m *fakeMachine) InstallService(context.Context) error {
	m.service = m.refuseService == nil
	return m.refuseService
}

func (m *fakeMachine) UninstallService(context.Context) error {
	m.service = false
	return nil
}

func (m *fakeMachine) DaemonVersion(context.Context) string { return m.daemon }

func (m *fakeMachine) LastTurn(context.Context, string) (time.Time, error) { return m.turn, nil }
