package workspace_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/workspace"
)

// put writes files below dir. A name that ends in / makes an empty folder, a text
// that starts with -> a symbolic link.
func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(full), 0o755))
		switch {
		case name[len(name)-1] == '/':
			must.Do(t, os.MkdirAll(full, 0o755))
		case len(text) > 2 && text[:2] == "->":
			must.Do(t, os.Symlink(text[2:], full))
		default:
			must.Do(t, os.WriteFile(full, []byte(text), 0o644))
		}
	}
}

func open(t *testing.T, dir string, o workspace.Options) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(dir, o)
	must.Do(t, err)
	t.Cleanup(func() { must.Do(t, w.Close()) })
	return w
}

func scan(t *testing.T, w *workspace.Workspace) workspace.ScanResult {
	t.Helper()
	l, err := w.Scan(context.Background())
	must.Do(t, err)
	return l
}

func listed(t *testing.T, w *workspace.Workspace) []string {
	t.Helper()
	var out []string
	for _, f := range scan(t, w).Files {
		out = append(out, f.Path)
	}
	return out
}

func same(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// statAgrees checks that Stat of each path returns what the scan lists.
func statAgrees(t *testing.T, w *workspace.Workspace, names []string) {
	t.Helper()
	files := map[string]workspace.File{}
	for _, f := range scan(t, w).Files {
		files[f.Path] = f
	}
	for _, name := range names {
		whole, want := files[name]
		f, got, err := w.Stat(name)
		if err != nil || got != want || got && f.Version() != whole.Version() {
			t.Errorf("stat %q: %v, %v; the scan lists it: %v", name, got, err, want)
		}
	}
}

func TestOpenNeedsAFolder(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"file": "x"})
	for _, name := range []string{"missing", "file"} {
		_, err := workspace.Open(filepath.Join(dir, name), workspace.Options{})
		var e *memory.Error
		if !errors.Is(err, memory.ErrUnavailable) || !errors.As(err, &e) || e.Hint == "" {
			t.Errorf("%s: %v, want unavailable with a hint", name, err)
		}
	}
}

func TestOpenRefusesGlobsThatLeaveTheWorkspace(t *testing.T) {
	for _, pattern := range []string{"../x/*.md", "/etc/*.md", "a/../../b.md", "notes/[a.md", ""} {
		_, err := workspace.Open(t.TempDir(), workspace.Options{Globs: []workspace.Glob{{Pattern: pattern}}})
		if !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%q: %v, want invalid", pattern, err)
		}
	}
}

func TestFolderMayDisappearAndComeBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ws")
	put(t, dir, map[string]string{"MEMORY.md": "one"})
	w := open(t, dir, workspace.Options{})
	same(t, listed(t, w), []string{"MEMORY.md"})

	must.Do(t, os.Rename(dir, dir+".away"))
	if _, err := w.Scan(context.Background()); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("scan of a missing folder: %v", err)
	}
	if _, _, err := w.Read("MEMORY.md"); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("read in a missing folder: %v", err)
	}
	if _, err := w.Replace("MEMORY.md", memory.Hash{}, []byte("x")); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("write in a missing folder: %v", err)
	}

	put(t, dir, map[string]string{"MEMORY.md": "two", "memory/a.md": "a"})
	same(t, listed(t, w), []string{"MEMORY.md", "memory/a.md"})
	if text, _, err := w.Read("MEMORY.md"); err != nil || string(text) != "two" {
		t.Errorf("read %q, %v: want the new folder's", text, err)
	}

	must.Do(t, os.RemoveAll(dir))
	must.Do(t, os.Rename(dir+".away", dir))
	if text, _, err := w.Read("MEMORY.md"); err != nil || string(text) != "one" {
		t.Errorf("read %q, %v: want the first folder's", text, err)
	}
}

func TestWalkStopsWithItsContext(t *testing.T) {
	w := open(t, t.TempDir(), workspace.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.Walk(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("walk: %v", err)
	}
}

func hash(text string) memory.Hash { return sha256.Sum256([]byte(text)) }

func onDisk(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	must.Do(t, err)
	return string(text)
}
