package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// A decided memory is away while the database is lost, so a copy of its text gets its
// id. When all copies are gone and the file returns, its line names the memory.
func TestTheMissingCopyThatAnEntryNamesTakesTheReturnedText(t *testing.T) {
	const text = "- the heron stands in the pond\n"
	files := map[string]string{"memory/a.md": text, "memory/b.md": text, "memory/c.md": text, "memory/d.md": text}
	d := newDamageable(t, files)
	defer func() { d.closeNow() }()
	memoryIn := func(path string) memory.Memory {
		t.Helper()
		listed, err := d.List(t.Context(), memory.ListRequest{Filter: memory.Filter{Path: path}})
		if err != nil || len(listed.Memories) != 1 {
			t.Fatalf("%s: %+v, %v", path, listed.Memories, err)
		}
		return listed.Memories[0]
	}
	decided := memoryIn("memory/c.md").ID
	must.Get(d.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionPin, IDs: []string{string(decided)}}))(t)
	original := d.read("memory/c.md")
	if !strings.Contains(original, decided.InFile()) {
		t.Fatalf("the line is not in its file:\n%s", original)
	}
	remove := func(paths ...string) {
		t.Helper()
		for _, path := range paths {
			must.Do(t, os.Remove(filepath.Join(d.dir, path)))
		}
	}
	remove("memory/c.md")
	d.closeNow()
	d.removeDatabase()
	d.open()
	d.index()
	remove("memory/a.md", "memory/b.md", "memory/d.md")
	d.index()
	d.write("memory/c.md", original)
	d.index()
	if m := memoryIn("memory/c.md"); m.ID != decided || !m.Pinned {
		t.Errorf("%s has pinned %v, want %s pinned", m.ID, m.Pinned, decided)
	}
}
