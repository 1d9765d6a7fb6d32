package watcher

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/fsnotify/fsnotify"
)

// source gives events: fsnotify, or a fake in tests.
type source interface {
	// One goroutine must always read both channels, even while another calls a
	// method below; otherwise the source blocks for ever. So the reader calls none
	// of these methods. Close closes both channels.
	Events() <-chan fsnotify.Event
	Errors() <-chan error
	// SetFolders watches exactly these folders, and reports whether any is new. With renew
	// it watches each anew. A missing folder is no error.
	SetFolders(folders []string, renew bool) (added bool, err error)
	Close() error
}

// notifier is the source that uses fsnotify. It watches folders, never files.
type notifier struct {
	watcher *fsnotify.Watcher
	dir     string
}

func openNotifier(dir string) (source, error) {
	fs, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch for changes: %w", err)
	}
	return &notifier{fs, dir}, nil
}

func (n *notifier) Events() <-chan fsnotify.Event { return n.watcher.Events }
func (n *notifier) Errors() <-chan error          { return n.watcher.Errors }
func (n *notifier) Close() error                  { return n.watcher.Close() }

// SetFolders compares with the list of fsnotify, because fsnotify drops a renamed
// folder without an event. It keeps the folders below that under their old names, and
// would not watch a new folder of such a name: renew is for that.
func (n *notifier) SetFolders(folders []string, renew bool) (added bool, err error) {
	watched := map[string]bool{}
	for _, name := range n.watcher.WatchList() {
		watched[name] = true
	}
	wanted := map[string]bool{}
	for _, folder := range folders {
		wanted[filepath.Join(n.dir, filepath.FromSlash(folder))] = true
	}
	before := len(watched)
	for name := range watched {
		if renew || !wanted[name] {
			_ = n.watcher.Remove(name) // fails if it is not watched any more
			delete(watched, name)
		}
	}
	for name := range wanted {
		if watched[name] {
			continue
		}
		switch err := n.watcher.Add(name); {
		case err == nil:
			added = true
		case !errors.Is(err, os.ErrNotExist):
			return added, fmt.Errorf("watch %s: %w", name, err)
		}
	}
	return added && (!renew || len(n.watcher.WatchList()) > before), nil
}

// relativePath returns the path of an event in a folder, "." for the folder itself; ok is
// false outside of it.
func relativePath(dir, name string) (path string, ok bool) {
	if name == dir {
		return ".", true
	}
	below, ok := strings.CutPrefix(name, strings.TrimSuffix(dir, string(os.PathSeparator))+string(os.PathSeparator))
	return filepath.ToSlash(below), ok
}

// isFolderOrLink reports whether name is a folder or a link. A missing name is
// neither.
func isFolderOrLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && (info.IsDir() || info.Mode()&os.ModeSymlink != 0)
}
