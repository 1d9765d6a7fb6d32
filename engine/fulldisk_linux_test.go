package engine_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// smallDisk is a small file system of our own that can be filled.
type smallDisk struct {
	t      *testing.T
	dir    string
	filler string
}

func newDisk(t *testing.T, dir string) *smallDisk {
	t.Helper()
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("a file system of our own cannot be mounted here: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", dir).Run() })
	return &smallDisk{t, dir, filepath.Join(dir, "filler")}
}

// fill leaves so many bytes free.
func (d *smallDisk) fill(room int) {
	d.t.Helper()
	d.free()
	_ = os.WriteFile(d.filler, make([]byte, 32<<20), 0o644) // it fails when the disk is full, as it should
	info, err := os.Stat(d.filler)
	if err == nil {
		err = os.Truncate(d.filler, info.Size()-int64(room))
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *smallDisk) free() {
	if err := os.Remove(d.filler); err != nil && !os.IsNotExist(err) {
		d.t.Fatal(err)
	}
}

// TestADiskThatFillsDuringADecision: wherever the room ends, in the notes or
// beside the index, the command says so and nothing is decided, or all of it is;
// and once there is room the next one goes through.
func TestADiskThatFillsDuringADecision(t *testing.T) {
	for _, full := range []string{"notes", "state"} {
		t.Run(full, func(t *testing.T) {
			root := t.TempDir()
			d := newDisk(t, filepath.Join(root, full))
			w := &world{t: t, dir: filepath.Join(root, "notes")}
			w.write("MEMORY.md", "- "+heron+"\n- "+owl+"\n"+strings.Repeat("- one more line about the birds of the mill pond\n", 100))
			w.Engine = openAt(t, root)
			t.Cleanup(func() { _ = w.Close() }) // a test that came to its end has checked that
			w.index()
			id, before := w.id(owl), w.read("MEMORY.md")
			failed, done := 0, 0
			for room := 0; done < 2; room += 4 << 10 {
				d.fill(room)
				_, err := w.Decide(t.Context(), about(memory.ActionForget, id))
				at := fmt.Sprintf("%d KiB of room: %v", room>>10, err)
				if err != nil && !errors.Is(err, memory.ErrUnavailable) {
					t.Error(at)
				}
				begun := err == nil || strings.Contains(err.Error(), "has begun")
				if err == nil {
					done++
				} else {
					failed++
				}
				if !begun && w.read("MEMORY.md") != before {
					t.Errorf("%s: the file is\n%.300s", at, w.read("MEMORY.md"))
				}
				d.free()
				w.index()
				if line := strings.Contains(w.read("MEMORY.md"), "forgotten: 2026"); line != begun || w.state(owl).Forgotten != begun {
					t.Errorf("%s: with room again, the file says so: %v, and forgotten is %v", at, line, w.state(owl).Forgotten)
				}
				w.decide(about(memory.ActionRestore, id))
				if w.state(owl).Forgotten || w.read("MEMORY.md") != before {
					t.Errorf("%s: it cannot be restored:\n%.300s", at, w.read("MEMORY.md"))
				}
			}
			if audit, err := w.Audit(t.Context(), memory.AuditRequest{Action: "forget", Source: "file"}); err != nil || audit.Total > 0 {
				t.Errorf("a command is taken for a hand's doing: %+v, %v", audit, err)
			}
			if failed == 0 {
				t.Error("the disk was never full")
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
