package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// startSetup starts the dialogue in a home folder with one client, and with memories of
// memory-core.
func startSetup(t *testing.T) (e *terminal, home string, run func(args ...string) string) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts processes")
	}
	home = t.TempDir()
	writeFile(t, filepath.Join(home, ".gemini", "settings.json"), "{}\n")
	writeFile(t, filepath.Join(home, ".openclaw", "workspace", "MEMORY.md"), "# Old\n\n- Prefers tea over coffee\n- The port is 5433\n")
	tests, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "memory") // the name tells the tests what they are
	if err := os.Link(tests, program); err != nil {
		t.Skip("the program cannot have another name: ", err)
	}
	env := append(terminalEnvironment("", filepath.Join(home, "state")), "HOME="+home, "PATH="+t.TempDir(), "MEMORY_WORKSPACE=")
	run = func(args ...string) string {
		c := exec.Command(program, args...)
		c.Dir, c.Env = home, env
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	return startProgram(t, program, home, 220, 150, env, "setup", "--no-service"), home, run
}

func TestSetupAsksAboutClientsFolderAndMemories(t *testing.T) {
	e, home, run := startSetup(t)
	e.awaits("gemini", "installed, not set up", "/memory]")
	e.press("~/notes\r")
	e.awaits("+  \"mcpServers\"", "/notes as the workspace main", "Make these changes? [y/N]")
	e.press("y\r")
	e.awaits("Gemini CLI uses this memory", "memory-core", "Show what would come over? [y/N]")
	e.press("y\r")
	e.awaits("2 would be imported", "Bring them over? [y/N]")
	e.press("y\r")
	e.awaits("2 imported into 1 files", "memory migrate --from memory-core --rollback", "done")
	if code := e.ends(); code != exitOK {
		t.Errorf("it ends with %d:\n%s", code, e.text())
	}
	if shown := run("search", "coffee"); !strings.Contains(shown, "Prefers tea over coffee") {
		t.Errorf("search finds\n%s", shown)
	}
	again := startProgram(t, e.program, home, 220, 150, e.env, "setup", "--no-service")
	again.awaits("gemini  uses this memory", "workspace main: ", "notes", "Show what would come over? [y/N]")
	again.press("n\r")
	again.awaits("done")
	run("setup", "gemini", "remove", "--yes") // stops the service that the check has started
	if src, _ := os.ReadFile(filepath.Join(home, ".gemini", "settings.json")); string(src) != "{}\n" {
		t.Errorf("settings.json is %s", src)
	}
}

func TestSetupChangesNothingWithoutAYes(t *testing.T) {
	e, home, run := startSetup(t)
	e.awaits("/memory]")
	e.press("\r")
	e.awaits("Make these changes? [y/N]")
	e.press("\r")
	e.awaits("nothing was changed", "Show what would come over? [y/N]")
	e.press("n\r")
	e.awaits("memory as the workspace main? [y/N]")
	e.press("\x03")
	if code := e.ends(); code == exitOK {
		t.Error("Ctrl-C ends it without an error")
	}
	if src, _ := os.ReadFile(filepath.Join(home, ".gemini", "settings.json")); string(src) != "{}\n" {
		t.Errorf("settings.json is %s", src)
	}
	if listed := run("workspace", "list", "--json"); !strings.Contains(listed, `"workspaces": []`) {
		t.Errorf("workspaces are registered: %s", listed)
	}
	if _, err := os.Stat(filepath.Join(home, "memory")); err == nil {
		t.Error("it made a folder")
	}
	if shown := run("setup"); !strings.Contains(shown, "Usage:") {
		t.Errorf("without a terminal it prints\n%s", shown)
	}
}

// Ctrl-D ends the dialogue at whatever question: nothing changes then, and no other question comes.
func TestEndOfInputEndsSetup(t *testing.T) {
	for _, keys := range [][]string{{"\x04"}, {"\r", "\x04"}, {"\r", "n\r", "\x04"}} {
		e, home, _ := startSetup(t)
		for i, key := range keys {
			e.awaits([]string{"/memory]", "Make these changes? [y/N]", "Show what would come over? [y/N]"}[i])
			e.press(key)
		}
		e.awaits("the input has ended")
		if code := e.ends(); code != exitOK {
			t.Errorf("%q: it ends with %d", keys, code)
		}
		if shown := e.text(); strings.Contains(shown, "done") || strings.Count(shown, "[y/N]") != len(keys)-1 {
			t.Errorf("%q: it shows\n%s", keys, shown)
		}
		if src, _ := os.ReadFile(filepath.Join(home, ".gemini", "settings.json")); string(src) != "{}\n" {
			t.Errorf("%q: settings.json is %s", keys, src)
		}
	}
}
