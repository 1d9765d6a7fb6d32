//go:build unix

package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/workspace"
)

func TestRemove(t *testing.T) {
	tests := []struct {
		name, path string
		want       memory.Hash
		err        error
		remains    bool
	}{
		{"unchanged file", "memory/a.md", hash("old"), nil, false},
		{"changed file", "memory/a.md", hash("other"), memory.ErrConflict, true},
		{"absent file", "memory/b.md", hash("old"), nil, false},
		{"absent folder", "memory/x/b.md", hash("old"), nil, false},
		{"link", "memory/link.md", hash("old"), memory.ErrConflict, true},
		{"file outside", "../outside.md", hash("secret"), memory.ErrInvalid, true},
		{"no file of memories", "memory/a.txt", hash("old"), memory.ErrInvalid, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "ws")
			must.Do(t, os.MkdirAll(filepath.Join(dir, "memory"), 0o755))
			for name, text := range map[string]string{"memory/a.md": "old", "memory/a.txt": "old", "../outside.md": "secret"} {
				must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
			}
			must.Do(t, os.Symlink("a.md", filepath.Join(dir, "memory/link.md")))
			w := open(t, dir, workspace.Options{})
			if err := w.Remove(tt.path, tt.want); !errors.Is(err, tt.err) {
				t.Errorf("%v, want %v", err, tt.err)
			}
			if _, err := os.Lstat(filepath.Join(dir, tt.path)); (err == nil) != tt.remains {
				t.Errorf("the file remains: %t, want %t", err == nil, tt.remains)
			}
		})
	}
}

func TestRemoveIsRefusedInAReadOnlyWorkspace(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("old"), 0o644))
	w := open(t, dir, workspace.Options{ReadOnly: true})
	if err := w.Remove("MEMORY.md", hash("old")); !errors.Is(err, workspace.ErrReadOnly) {
		t.Errorf("%v, want ErrReadOnly", err)
	}
}

func TestRemoveFolderRemovesOnlyEmptyFolders(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.MkdirAll(filepath.Join(dir, "memory/empty"), 0o755))
	must.Do(t, os.MkdirAll(filepath.Join(dir, "memory/full"), 0o755))
	must.Do(t, os.WriteFile(filepath.Join(dir, "memory/full/a.txt"), []byte("x"), 0o644))
	w := open(t, dir, workspace.Options{})
	for name, remains := range map[string]bool{"memory/empty": false, "memory/full": true, "memory/full/a.txt": true, "memory/none": false} {
		must.Do(t, w.RemoveFolder(name))
		if w.Exists(name) != remains {
			t.Errorf("%s remains: %t, want %t", name, w.Exists(name), remains)
		}
	}
}

// TestAFolderMayBeALink looks up, writes and removes a file in a linked folder.
func TestAFolderMayBeALink(t *testing.T) {
	for name, absolute := range map[string]bool{"a relative link": false, "an absolute link": true} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			must.Do(t, os.Mkdir(filepath.Join(dir, "elsewhere"), 0o755))
			target := "elsewhere"
			if absolute {
				target = filepath.Join(dir, target)
			}
			must.Do(t, os.Symlink(target, filepath.Join(dir, "memory")))
			w := open(t, dir, workspace.Options{})
			if w.Exists("memory/a.md") || w.Exists("memory/new/a.md") || w.FolderObstacle("memory/new/er") != nil {
				t.Error("a file that does not exist cannot be written")
			}
			_, err := w.Replace("memory/new/a.md", memory.Hash{}, []byte("old"))
			must.Do(t, err)
			if !w.Exists("memory/new/a.md") {
				t.Error("the file does not exist")
			}
			must.Do(t, w.Remove("memory/new/a.md", hash("old")))
			must.Do(t, w.RemoveFolder("memory/new"))
			if _, err := os.Stat(filepath.Join(dir, "elsewhere/new")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the folder remains: %v", err)
			}
		})
	}
}

func TestFolderObstacle(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "file.md"), []byte("x"), 0o644))
	must.Do(t, os.Symlink(t.TempDir(), filepath.Join(dir, "outside")))
	must.Do(t, os.Symlink("circle", filepath.Join(dir, "circle")))
	must.Do(t, os.Symlink("nowhere", filepath.Join(dir, "dangling")))
	w := open(t, dir, workspace.Options{})
	for _, name := range []string{"file.md", "file.md/a/b", "outside", "outside/a", "circle/a", "dangling", "dangling/a"} {
		if w.FolderObstacle(name) == nil {
			t.Errorf("%s is no obstacle", name)
		}
	}
	for _, name := range []string{".", "new", "new/er"} {
		if err := w.FolderObstacle(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestANameThatNoDiskTakesIsAbsent(t *testing.T) {
	w, name := open(t, t.TempDir(), workspace.Options{}), "memory/"+strings.Repeat("n", 300)+".md"
	if w.Exists(name) {
		t.Error("it exists")
	}
	must.Do(t, w.Remove(name, hash("x")))
}
