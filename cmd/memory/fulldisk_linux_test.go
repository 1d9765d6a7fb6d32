package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFullDisk fills a small file system of its own: what was indexed is still
// answered, writing says what is wrong, and all goes on when there is room.
func TestFullDisk(t *testing.T) {
	root := t.TempDir()
	disk := filepath.Join(root, "disk")
	if err := os.Mkdir(disk, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("a file system of our own cannot be mounted here: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", disk).Run() })
	notes := filepath.Join(root, "notes")
	write := func(path string, text []byte) error {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		return os.WriteFile(path, text, 0o644)
	}
	if err := write(filepath.Join(notes, "MEMORY.md"), []byte("- A blue heron lives by the mill pond\n")); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (code int, out, errs string) {
		var stdout, stderr bytes.Buffer
		env := map[string]string{"MEMORY_STATE_DIR": filepath.Join(disk, "state"), "MEMORY_WORKSPACE": notes}
		a := &app{in: strings.NewReader(""), out: &stdout, err: &stderr, env: func(k string) string { return env[k] }, width: noWidth}
		code = a.run(t.Context(), args)
		return code, stdout.String(), stderr.String()
	}
	if code, _, errs := run("index"); code != 0 {
		t.Fatal(errs)
	}
	filler := filepath.Join(disk, "filler")
	_ = write(filler, make([]byte, 4<<20)) // it fails when the disk is full, as it should
	if code, out, errs := run("search", "heron"); code != 0 || !strings.Contains(out, "blue heron") {
		t.Errorf("search on a full disk: exit %d, %s%s", code, out, errs)
	}
	if code, _, errs := run("store", "The owl in the barn hunts at dusk"); code != 5 || !strings.Contains(errs, "no space left") {
		t.Errorf("store on a full disk: exit %d, %s", code, errs)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := run("store", "The owl in the barn hunts at dusk"); code != 0 {
		t.Errorf("store when there is room again: exit %d, %s", code, errs)
	}
	if _, out, _ := run("search", "owl"); !strings.Contains(out, "hunts at dusk") {
		t.Errorf("found %s", out)
	}
}
