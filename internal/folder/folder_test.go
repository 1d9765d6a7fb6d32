package folder_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/memory-tiered/memory/internal/folder"
	"github.com/memory-tiered/memory/internal/must"
)

func TestSameFolder(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must.Do(t, os.Mkdir(at("notes"), 0o700))
	id := folder.Identify(at("notes"))
	if err := os.Symlink(at("notes"), at("link")); err == nil && !folder.Identify(at("link")).Same(id) {
		t.Error("a link leads to another folder")
	}
	must.Do(t, os.Rename(at("notes"), at("moved")))
	if runtime.GOOS == "linux" && id.System != "" && !folder.Identify(at("moved")).Same(id) {
		t.Error("a moved folder is another one")
	}
	if !id.IsGone() || folder.Identify(at("moved")).IsGone() {
		t.Error("the old path is there, or the new one is not")
	}
	// The file system may give the inode of a deleted folder to the next one.
	must.Do(t, os.Remove(at("moved")))
	must.Do(t, os.Mkdir(at("other"), 0o700))
	if folder.Identify(at("other")).Same(id) {
		t.Error("a new folder is taken for a deleted one")
	}
	if !folder.Identify(at("notes")).Same(id) {
		t.Error("a folder that is not there is not the one of its path")
	}
}
