package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A bind mount is another path to the same folder, and no link shows it.
func TestABindMountIsNoSecondWorkspace(t *testing.T) {
	dir, mounted, state := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("- The ferry leaves at nine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount(dir, mounted, "", syscall.MS_BIND, ""); err != nil {
		t.Skipf("this user cannot mount: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(mounted, 0); err != nil {
			t.Error(err)
		}
	}()
	runProgram(t, dir, state, "workspace", "add", "--name", "first", dir)
	if out := runProgram(t, dir, state, "workspace", "add", "--name", "second", mounted); !strings.Contains(out, "already registered as the workspace first") {
		t.Errorf("the bind mount is registered as well: %s", out)
	}
}
