package ingest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func (w *world) link(target, path string) {
	w.t.Helper()
	name := filepath.Join(w.dir, path)
	w.must(os.MkdirAll(filepath.Dir(name), 0o755))
	w.must(os.RemoveAll(name))
	w.must(os.Symlink(target, name))
}

// TestALinkThatLeadsNowhereIsAFault needs the fault, whether the whole folder or only
// the link is checked, and no memory of what was there before.
func TestALinkThatLeadsNowhereIsAFault(t *testing.T) {
	for name, paths := range map[string][]string{"all files": nil, "the link": {"memory/a.md"}, "its folder": {"memory"}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.write("memory/a.md", "- "+tabs)
			w.write("notes/n.md", "- "+friday)
			w.scan()
			w.link("/etc/hosts", "memory/a.md")
			a, err := w.tryIndex(false, paths...)
			w.must(err)
			if got := w.faults(); a.Missing != 1 || len(got) != 1 || !strings.HasPrefix(got[0], "memory/a.md:0: not indexed: the link leads outside") {
				t.Errorf("%+v, faults %q", a, got)
			}
			if a, err = w.tryIndex(false, paths...); err != nil || a.Missing != 0 || len(w.faults()) != 1 {
				t.Errorf("again: %+v, %v, faults %q", a, err, w.faults())
			}
			w.link("../notes/n.md", "memory/a.md")
			if a, err = w.tryIndex(false, paths...); err != nil || a.Added != 1 || len(w.faults()) != 0 {
				t.Errorf("with a good target: %+v, %v, faults %q", a, err, w.faults())
			}
			w.link("gone.md", "memory/a.md")
			a, err = w.tryIndex(false, paths...)
			if got := w.faults(); err != nil || a.Missing != 1 || len(got) != 1 || !strings.HasSuffix(got[0], "does not exist") {
				t.Errorf("without a target: %+v, %v, faults %q", a, err, got)
			}
			w.must(os.Remove(filepath.Join(w.dir, "memory/a.md")))
			if _, err = w.tryIndex(false, paths...); err != nil || len(w.faults()) != 0 {
				t.Errorf("without the link: %v, faults %q", err, w.faults())
			}
		})
	}
}

// TestALinkedFolderThatLeadsOutsideKeepsNothing replaces the target of a linked folder.
func TestALinkedFolderThatLeadsOutsideKeepsNothing(t *testing.T) {
	w, outside := newWorld(t), t.TempDir()
	w.write("notes/n.md", "- "+friday)
	w.link("../notes", "memory/notes")
	if a := w.scan(); a.Added != 1 {
		t.Fatalf("%+v", a)
	}
	w.must(os.WriteFile(filepath.Join(outside, "n.md"), []byte("- "+tabs+"\n"), 0o644))
	w.link(outside, "memory/notes")
	if a := w.scan(); a.Missing != 1 || a.Added != 0 || len(w.faults()) != 1 {
		t.Errorf("%+v, faults %q", a, w.faults())
	}
	w.link("../notes", "memory/notes")
	if a := w.scan(); a.Added != 1 || len(w.faults()) != 0 || w.memory(friday).Missing {
		t.Errorf("%+v, faults %q", a, w.faults())
	}
}

// TestABadLinkRestoresNothing replaces a file by a link that leads nowhere. Its
// decisions still hold, because no person removed them.
func TestABadLinkRestoresNothing(t *testing.T) {
	w := newWorld(t)
	w.write("memory/a.md", "---", "memories:", `  - {id: "", quote: "`+tabs+`", forgotten: 2026-11-19}`, "---", "- "+tabs)
	w.scan()
	if !w.memory(tabs).Forgotten {
		t.Fatal("not forgotten")
	}
	w.link("gone.md", "memory/a.md")
	w.scan()
	w.write("memory/b.md", "- "+tabs)
	w.scan()
	if m := w.memory(tabs); !m.Forgotten || m.Missing {
		t.Errorf("%+v", m)
	}
	if faults := w.faults(); len(faults) != 1 || !strings.Contains(faults[0], "does not exist") {
		t.Errorf("faults %q", faults)
	}
}
