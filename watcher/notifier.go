package watcher

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

	// SetFolders watches exactly these folders, and reports whether any is new. A
	// missing folder is no error.
	SetFolders(folders []string) (added bool, err error)

	// RemoveFolder stops watching a removed folder and all folders below it.
	RemoveFolder(folder string)
	Close() error
}

// event is one event at a path.
type event struct {
	path       string // relative, "." for the watched folder itself
	created    bool
	removed    bool // or renamed
	attributes bool // mode, owner or times changed
}

// toEvent translates an event of fsnotify; ok is false outside of dir.

func toEvent(dir string, e fsnotify.Event) (event, bool) {
	path := "."
	if e.Name != dir {
		below, inside := strings.CutPrefix(e.Name, strings.TrimSuffix(dir, string(os.PathSeparator))+string(os.PathSeparator))
		if !inside {
			return event{}, false
		}
		path = filepath.ToSlash(below)
	}
	return event{path: path, created: e.Has(fsnotify.Create), attributes: e.Has(fsnotify.Chmod),
		removed: e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)}, e.Op != 0
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

// RemoveFolder is needed because fsnotify keeps the folders below a renamed folder
// under their old names. It would not watch a new folder of such a name.
func (n *notifier) RemoveFolder(folder string) {
	full := n.absPath(folder)
	for _, name := range n.watcher.WatchList() {
		if name == full || strings.HasPrefix(name, full+string(os.PathSeparator)) {
			n.remove(name)
		}
	}
}

func (n *notifier) remove(name string) {
	_ = n.watcher.Remove(name) // fails if it is not watched any more
}

func (n *notifier) absPath(path string) string { return filepath.Join(n.dir, filepath.FromSlash(path)) }

// SetFolders compares with the list of fsnotify, because fsnotify drops a renamed
// folder without an event.
func (n *notifier) SetFolders(folders []string) (added bool, err error) {
	want := make([]string, len(folders))
	for i, folder := range folders {
		want[i] = n.absPath(folder)
	}
	slices.Sort(want)
	have := n.watcher.WatchList()
	slices.Sort(have)
	for _, name := range have {
		if _, wanted := slices.BinarySearch(want, name); !wanted {
			n.remove(name)
		}
	}
	for _, name := range want {
		if _, had := slices.BinarySearch(have, name); had {
			continue
		}
		switch err := n.watcher.Add(name); {
		case err == nil:
			added = true
		case errors.Is(err, os.ErrNotExist):
		default:
			return added, fmt.Errorf("watch %s: %w", name, err)
		}
	}
	return added, nil
}
