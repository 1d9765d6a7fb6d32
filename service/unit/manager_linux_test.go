package unit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kardianos/service"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// fakeSystemctl puts a systemctl into PATH that records its arguments in the
// returned file, and gives the tested code a home folder. The service runs while a
// file named running exists. A file named refuse makes enable fail.
func fakeSystemctl(t *testing.T) (dir, calls string) {
	t.Helper()
	dir = t.TempDir()
	calls = filepath.Join(dir, "calls")
	script := `#!/bin/sh
cd "` + dir + `"
echo "$*" >> calls
case "$*" in
*show-environment*) test ! -e gone || { echo "no bus" >&2; exit 1; } ;;
enable*) test ! -e refuse || { echo "refused" >&2; exit 1; } ;;
start*|restart*) touch running ;;
stop*) rm -f running ;;
is-active*) test -e running && echo active || { echo inactive; exit 3; } ;;
list-unit-files*) echo "memory-tiered.service enabled" ;;
esac
`
	must.Do(t, os.WriteFile(filepath.Join(dir, "systemctl"), []byte(script), 0o755))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("HOME", filepath.Join(dir, "home"))
	return dir, calls
}

func systemdManager(t *testing.T, s Spec) *Manager {
	t.Helper()
	for _, system := range service.AvailableSystems() {
		if system.String() == "linux-systemd" {
			m := must.Get(newManager(system, "systemd", s))(t)
			return m
		}
	}
	t.Fatal("kardianos/service has no systemd")
	return nil
}

func read(t *testing.T, file string) string {
	t.Helper()
	text := must.Get(os.ReadFile(file))(t)
	return string(text)
}

func TestInstallWritesTheUnitAndEnablesIt(t *testing.T) {
	_, calls := fakeSystemctl(t)
	m := systemdManager(t, testSpec("/opt/memory"))
	if changed, err := m.Install(t.Context()); err != nil || !changed {
		t.Fatalf("Install = %t, %v", changed, err)
	}
	if got := read(t, m.File); got != systemd(testSpec("/opt/memory")) {
		t.Errorf("the unit is\n%s", got)
	}
	if got := read(t, calls); !strings.Contains(got, "enable --user memory-tiered.service") || !strings.Contains(got, "daemon-reload --user") {
		t.Errorf("systemctl was called with\n%s", got)
	}
	if changed, err := m.Install(t.Context()); err != nil || changed {
		t.Errorf("a second Install = %t, %v; want false, nil", changed, err)
	}
}

func TestInstallReplacesAnOlderUnit(t *testing.T) {
	fakeSystemctl(t)
	must.Get(systemdManager(t, testSpec("/opt/old")).Install(t.Context()))(t)
	m := systemdManager(t, testSpec("/opt/new"))
	if state, err := m.State(t.Context()); err != nil || !state.Installed || state.Current {
		t.Errorf("before the upgrade: %+v, %v", state, err)
	}
	if changed, err := m.Install(t.Context()); err != nil || !changed {
		t.Fatalf("Install = %t, %v", changed, err)
	}
	if state, err := m.State(t.Context()); err != nil || !state.Current {
		t.Errorf("after the upgrade: %+v, %v", state, err)
	}
}

func TestRefusedInstallLeavesTheOlderUnit(t *testing.T) {
	dir, _ := fakeSystemctl(t)
	old := systemdManager(t, testSpec("/opt/old"))
	must.Get(old.Install(t.Context()))(t)
	must.Do(t, os.WriteFile(filepath.Join(dir, "refuse"), nil, 0o600))
	m := systemdManager(t, testSpec("/opt/new"))
	if _, err := m.Install(t.Context()); !errors.Is(err, memory.ErrUnavailable) {
		t.Fatalf("Install: %v", err)
	}
	if got := read(t, m.File); got != old.Definition {
		t.Errorf("the unit is\n%s", got)
	}
	must.Do(t, os.Remove(m.File))
	if _, err := m.Install(t.Context()); err == nil {
		t.Fatal("Install succeeded")
	}
	if _, err := os.Stat(m.File); err == nil {
		t.Error("a refused first install leaves a unit")
	}
}

func TestUninstallStopsTheServiceFirst(t *testing.T) {
	_, calls := fakeSystemctl(t)
	m := systemdManager(t, testSpec("/opt/memory"))
	must.Get(m.Install(t.Context()))(t)
	must.Do(t, m.Start(t.Context()))
	if state, err := m.State(t.Context()); err != nil || !state.Running {
		t.Fatalf("after the start: %+v, %v", state, err)
	}
	if removed, err := m.Uninstall(t.Context()); err != nil || !removed {
		t.Fatalf("Uninstall = %t, %v", removed, err)
	}
	got := read(t, calls)
	if stop, disable := strings.Index(got, "stop --user"), strings.Index(got, "disable --user"); stop < 0 || disable < stop {
		t.Errorf("systemctl was called with\n%s", got)
	}
	if _, err := os.Stat(m.File); err == nil {
		t.Error("the unit is still there")
	}
	if removed, err := m.Uninstall(t.Context()); err != nil || removed {
		t.Errorf("a second Uninstall = %t, %v; want false, nil", removed, err)
	}
}

func TestControlOfAServiceThatIsNotInstalledIsNotFound(t *testing.T) {
	fakeSystemctl(t)
	m := systemdManager(t, testSpec("/opt/memory"))
	if err := m.Start(t.Context()); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("Start: %v", err)
	}
}

func TestWithoutAUserManagerEverythingIsRefused(t *testing.T) {
	dir, _ := fakeSystemctl(t)
	must.Do(t, os.WriteFile(filepath.Join(dir, "gone"), nil, 0o600))
	m := systemdManager(t, testSpec("/opt/memory"))
	_, installErr := m.Install(t.Context())
	_, uninstallErr := m.Uninstall(t.Context())
	for name, err := range map[string]error{"install": installErr, "uninstall": uninstallErr, "start": m.Start(t.Context())} {
		var failure *memory.Error
		if !errors.As(err, &failure) || !errors.Is(err, memory.ErrUnavailable) || failure.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(m.File); err == nil {
		t.Error("a unit was written")
	}
}

func TestSystemdIsGivenNoProgramThatItRefuses(t *testing.T) {
	for _, system := range service.AvailableSystems() {
		if system.String() != "linux-systemd" {
			continue
		}
		for _, dir := range []string{"/ann's", `/the "notes"`, `/back\slash`} {
			if _, err := newManager(system, "systemd", testSpec(dir)); !errors.Is(err, memory.ErrInvalid) {
				t.Errorf("%s: %v", dir, err)
			}
		}
	}
}
