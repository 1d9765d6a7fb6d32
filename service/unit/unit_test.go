package unit

import (
	"encoding/xml"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

func testSpec(dir string) Spec {
	return Spec{
		Binary:   filepath.Join(dir, "memory"),
		StateDir: filepath.Join(dir, "state"),
		Config:   filepath.Join(dir, "state", "config.yaml"),
		LogFile:  filepath.Join(dir, "state", "logs", "memory.log"),
	}
}

func TestSystemdQuotesPaths(t *testing.T) {
	s := testSpec(`/home/ann lee/50% of "$HOME"\x`)
	s.Binary = "/opt/50% $x/memory"
	want := `ExecStart="/opt/50%% $x/memory" "serve" "--state-dir" "/home/ann lee/50%% of \"$$HOME\"\\x/state"`
	if got := systemd(s); !strings.Contains(got, want) {
		t.Errorf("the unit does not contain %s:\n%s", want, got)
	}
}

func TestSystemdAcceptsTheUnit(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	dir := filepath.Join(t.TempDir(), "50% of $HOME")
	must.Do(t, os.Mkdir(dir, 0o755))
	s := testSpec(filepath.Join(dir, `ann's "notes"\x`))
	s.Binary = filepath.Join(dir, "memory")
	must.Do(t, os.WriteFile(s.Binary, []byte("#!/bin/sh\n"), 0o755))
	file := filepath.Join(dir, name+".service")
	must.Do(t, os.WriteFile(file, []byte(systemd(s)), 0o644))
	command := exec.Command(analyze, "--user", "verify", file)
	command.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir(), "HOME="+t.TempDir())
	if out, err := command.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
}

func TestLaunchdEscapesPaths(t *testing.T) {
	s := testSpec(`/Users/ann & <bob>`)
	var plist struct {
		Strings []string `xml:"dict>array>string"`
	}
	must.Do(t, xml.Unmarshal([]byte(launchd(s)), &plist))
	want := append([]string{s.Binary}, s.Arguments()...)
	if strings.Join(plist.Strings, "\n") != strings.Join(want, "\n") {
		t.Errorf("arguments = %q, want %q", plist.Strings, want)
	}
}

func TestWindowsQuotesPaths(t *testing.T) {
	s := Spec{Binary: `C:\Program Files\memory.exe`, StateDir: `C:\Ann Lee\`, Config: `C:\state\config.yaml`, LogFile: `C:\a "b"\\"`}
	want := `"C:\Program Files\memory.exe" serve --state-dir "C:\Ann Lee\\" --config C:\state\config.yaml --log-file "C:\a \"b\"\\\\\""` + "\n"
	if got := windows(s); got != want {
		t.Errorf("the command line is\n%swant\n%s", got, want)
	}
}

func TestPathsThatNoDefinitionCanContainAreRefused(t *testing.T) {
	for _, dir := range []string{"relative", "/new\nline", "/template {{x}}", "/zero\x00"} {
		if _, err := New(testSpec(dir)); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%q: %v", dir, err)
		}
	}
}
