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
	"github.com/memory-tiered/memory/internal/must"
)

// smallDisk is a small file system of our own, which a test can fill.
type smallDisk struct {
	t      *testing.T
	dir    string
	filler string
}

func newSmallDisk(t *testing.T, dir string) *smallDisk {
	t.Helper()
	must.Do(t, os.Mkdir(dir, 0o755))
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("cannot mount a file system here: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", dir).Run() })
	return &smallDisk{t, dir, filepath.Join(dir, "filler")}
}

// fill leaves this many bytes free.
func (d *smallDisk) fill(room int) {
	d.t.Helper()
	d.free()
	_ = os.WriteFile(d.filler, make([]byte, 32<<20), 0o644) // it fails when the disk is full, as intended
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

// Wherever the space ends, in the notes or beside the index, the command reports it
// and nothing is decided, or all of it is. Once there is space, the next decision
// succeeds.
func TestFullDiskDuringADecisionLeavesAllOrNothing(t *testing.T) {
	for _, full := range []string{"notes", "state"} {
		t.Run(full, func(t *testing.T) {
			root := t.TempDir()
			d := newSmallDisk(t, filepath.Join(root, full))
			w := &world{t: t, dir: filepath.Join(root, "notes")}
			w.write("MEMORY.md", "- "+heron+"\n- "+owl+"\n"+strings.Repeat("- one more line about the birds of the mill pond\n", 100))
			w.Engine = openAt(t, root)
			t.Cleanup(func() { _ = w.Close() }) // a test that reaches its end checks the error
			w.index()
			id, before := w.idOf(owl), w.read("MEMORY.md")
			failed, done := 0, 0
			step := 4 << 10
			if testing.Short() { // with the race detector
				step = 16 << 10
			}
			for room := 0; done < 2; room += step {
				d.fill(room)
				_, err := w.Decide(t.Context(), decideRequest(memory.ActionForget, id))
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
				if line := strings.Contains(w.read("MEMORY.md"), "forgotten: 2026"); line != begun || w.find(owl).Forgotten != begun {
					t.Errorf("%s: with space again, the entry is there: %v, and forgotten is %v", at, line, w.find(owl).Forgotten)
				}
				w.decide(decideRequest(memory.ActionRestore, id))
				if w.find(owl).Forgotten || w.read("MEMORY.md") != before {
					t.Errorf("%s: it cannot be restored:\n%.300s", at, w.read("MEMORY.md"))
				}
			}
			if audit, err := w.Audit(t.Context(), memory.AuditRequest{Action: "forget", Source: "file"}); err != nil || audit.Total > 0 {
				t.Errorf("the audit attributes a command to an edit by hand: %+v, %v", audit, err)
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

// TestStatusAndDoctorNameAFolderThatCannotBeWritten uses a read-only file system: root may
// write to a folder without write bits.
func TestStatusAndDoctorNameAFolderThatCannotBeWritten(t *testing.T) {
	root := t.TempDir()
	disk := newSmallDisk(t, filepath.Join(root, "notes"))
	w := &world{t: t, dir: disk.dir}
	w.write("MEMORY.md", "- the heron stands in the pond\n")
	w.Engine = openAt(t, root)
	t.Cleanup(func() { _ = w.Close() })
	w.index()
	names := func() (named []string) {
		status := must.Get(w.Status(t.Context()))(t)
		answer := must.Get(w.Doctor(t.Context(), memory.DoctorRequest{}, nil))(t)
		for _, f := range answer.Findings {
			if strings.Contains(f.Message, "the folder is read-only") {
				named = append(named, "doctor")
			}
		}
		if strings.Contains(strings.Join(status.Workspaces[0].Notices, "\n"), "the folder is read-only (read-only file system)") {
			named = append(named, "status")
		}
		return named
	}
	if named := names(); len(named) > 0 {
		t.Errorf("%q report a folder that can be written", named)
	}
	if out, err := exec.Command("mount", "-o", "remount,ro", disk.dir).CombinedOutput(); err != nil {
		t.Skipf("cannot make the file system read-only: %v %s", err, out)
	}
	if named := names(); len(named) != 2 {
		t.Errorf("only %q report it", named)
	}
	if _, err := w.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionPin, Query: "heron"}); err != nil {
		t.Errorf("pin: %v", err)
	}
}

// Wherever the space ends while a snapshot is written, the command that needs it changes nothing.
func TestFullDiskDuringASnapshotRefusesTheCommand(t *testing.T) {
	root := t.TempDir()
	d := newSmallDisk(t, filepath.Join(root, "state"))
	w := &world{t: t, dir: filepath.Join(root, "notes")}
	var many strings.Builder
	for n := range 500 {
		fmt.Fprintf(&many, "- bird number %d of the mill pond\n", n)
	}
	w.write("MEMORY.md", many.String())
	w.Engine = openAt(t, root)
	t.Cleanup(func() { _ = w.Close() })
	w.index()
	for room := range 3 {
		d.fill(room * 8 << 10)
		_, err := w.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionForget, Filter: &memory.Filter{Path: "MEMORY.md"}})
		if detail := (*memory.Error)(nil); !errors.As(err, &detail) || detail.Kind != memory.ErrUnavailable || !strings.Contains(detail.Hint, "nothing was changed") {
			t.Errorf("%d KiB of room: %v", room*8, err)
		}
		if w.read("MEMORY.md") != many.String() || len(w.all()) != 500 || w.all()[0].Forgotten {
			t.Errorf("%d KiB of room: something changed", room*8)
		}
	}
	d.free()
	left, err := filepath.Glob(filepath.Join(root, "state", "snapshots", ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left: %q, %v", left, err)
	}
	w.decide(memory.DecideRequest{Action: memory.ActionForget, Filter: &memory.Filter{Path: "MEMORY.md"}})
}
