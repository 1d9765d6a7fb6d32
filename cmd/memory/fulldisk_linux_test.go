package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/must"
)

// mountDisk mounts a small file system that the test can fill.
func mountDisk(t *testing.T, root string) (disk string) {
	t.Helper()
	disk = filepath.Join(root, "disk")
	must.Do(t, os.Mkdir(disk, 0o755))
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", disk).Run() })
	return disk
}

// newRunner returns a function that runs a command line.
func newRunner(t *testing.T, state, notes string) func(args ...string) (code int, out, errs string) {
	return func(args ...string) (code int, out, errs string) {
		var stdout, stderr bytes.Buffer
		env := map[string]string{"MEMORY_STATE_DIR": state, "MEMORY_WORKSPACE": notes}
		a := &app{in: strings.NewReader(""), out: &stdout, err: &stderr, env: func(k string) string { return env[k] }, width: defaultWidth}
		code = a.run(t.Context(), args)
		return code, stdout.String(), stderr.String()
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A decision fails on a full disk and does not change the file. The memory is hidden at
// once, and the file has the decision when there is space again.
func TestDecisionOnFullDiskIsFinishedLater(t *testing.T) {
	root := t.TempDir()
	notes := mountDisk(t, root)
	run := newRunner(t, filepath.Join(root, "state"), notes)
	const text = "- A blue heron lives by the mill pond\n"
	file, filler := filepath.Join(notes, "MEMORY.md"), filepath.Join(notes, "filler")
	write(t, file, text)
	if code, _, errs := run("index"); code != 0 {
		t.Fatal(errs)
	}
	_ = os.WriteFile(filler, make([]byte, 4<<20), 0o644) // fails when the disk is full, as intended
	code, _, errs := run("forget", "--query", "heron", "--yes")
	if code != 5 || !strings.Contains(errs, "no space left to write MEMORY.md") || !strings.Contains(errs, "hint: it finishes as soon as the file") {
		t.Errorf("forget on a full disk: exit %d, %s", code, errs)
	}
	if src, err := os.ReadFile(file); err != nil || string(src) != text {
		t.Errorf("the file now contains %q, %v", src, err)
	}
	if _, out, _ := run("search", "heron"); strings.Contains(out, "blue heron") {
		t.Errorf("the memory is found, although forget has begun: %s", out)
	}
	must.Do(t, os.Remove(filler))
	if code, _, errs := run("index"); code != 0 {
		t.Errorf("index with space again: exit %d, %s", code, errs)
	}
	if src, err := os.ReadFile(file); err != nil || !strings.Contains(string(src), "forgotten:") || !strings.HasSuffix(string(src), text) {
		t.Errorf("the file now contains %q, %v", src, err)
	}
	if _, out, _ := run("search", "heron"); strings.Contains(out, "blue heron") {
		t.Errorf("the forgotten memory is found: %s", out)
	}
}

// On a full disk, search answers from the index, and store fails with a clear error.
// store succeeds when there is space again.
func TestFullStateDiskStillAnswers(t *testing.T) {
	root := t.TempDir()
	disk := mountDisk(t, root)
	notes := filepath.Join(root, "notes")
	write(t, filepath.Join(notes, "MEMORY.md"), "- A blue heron lives by the mill pond\n")
	run := newRunner(t, filepath.Join(disk, "state"), notes)
	if code, _, errs := run("index"); code != 0 {
		t.Fatal(errs)
	}
	filler := filepath.Join(disk, "filler")
	_ = os.WriteFile(filler, make([]byte, 4<<20), 0o644) // fails when the disk is full, as intended
	if code, out, errs := run("search", "heron"); code != 0 || !strings.Contains(out, "blue heron") {
		t.Errorf("search on a full disk: exit %d, %s%s", code, out, errs)
	}
	if code, _, errs := run("store", "The owl in the barn hunts at dusk"); code != 5 || !strings.Contains(errs, "no space left") {
		t.Errorf("store on a full disk: exit %d, %s", code, errs)
	}
	if code, out, errs := run("status"); code != 0 || !strings.Contains(out, "nothing can be written") || strings.Contains(out, "folder cannot be read") {
		t.Errorf("status on a full disk: exit %d, %s%s", code, out, errs)
	}
	if code, out, errs := run("doctor"); code != 1 || !strings.Contains(out, "back up: no space left on the disk\n         fix: free some disk space") || strings.Contains(out, "not an error") {
		t.Errorf("doctor on a full disk: exit %d, %s%s", code, out, errs)
	}
	must.Do(t, os.Remove(filler))
	if code, _, errs := run("store", "The owl in the barn hunts at dusk"); code != 0 {
		t.Errorf("store with space again: exit %d, %s", code, errs)
	}
	if _, out, _ := run("search", "owl"); !strings.Contains(out, "hunts at dusk") {
		t.Errorf("search finds %s", out)
	}
}
