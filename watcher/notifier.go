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

// source is where events come from: fsnotify, or a test's own.
type source interface {
	// One goroutine has to read both, or the source stops for ever: also while
	// another is in a method below, so the one that reads calls none of them.
	// Close closes both.
	Events() <-chan fsnotify.Event
	Errors() <-chan error

	// Listen makes folders the ones that are listened to, and says whether any
	// was added. One that is gone is no error.
	Listen(folders []string) (added bool, err error)

	// Drop stops listening to a folder that went and to all below it.
	Drop(folder string)
	Close() error
}

// event is that something happened at path.
type event struct {
	path    string // relative, "." for the folder itself
	created bool
	removed bool // or renamed to somewhere else
	rights  bool // mode, owner or times
}

func translate(dir string, e fsnotify.Event) (event, bool) {
	path := "."
	if e.Name != dir {
		below, inside := strings.CutPrefix(e.Name, strings.TrimSuffix(dir, string(os.PathSeparator))+string(os.PathSeparator))
		if !inside {
			return event{}, false
		}
		path = filepath.ToSlash(below)
	}
	return event{path: path, created: e.Has(fsnotify.Create), rights: e.Has(fsnotify.Chmod),
		removed: e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)}, e.Op != 0
}

// notifier is fsnotify over one folder. It watches folders, never files.
type notifier struct {
	fs  *fsnotify.Watcher
	dir string
}

func openNotifier(dir string) (source, error) {
	fs, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("listen for changes: %w", err)
	}
	return &notifier{fs, dir}, nil
}

func (n *notifier) Events() <-chan fsnotify.Event { return n.fs.Events }
func (n *notifier) Errors() <-chan error          { return n.fs.Errors }
func (n *notifier) Close() error                  { return n.fs.Close() }

// Drop is needed because fsnotify keeps the folders below a renamed one under
// their old names, and takes a new folder of such a name for watched already.
func (n *notifier) Drop(folder string) {
	full := n.full(folder)
	for _, name := range n.fs.WatchList() {
		if name == full || strings.HasPrefix(name, full+string(os.PathSeparator)) {
			n.remove(name)
		}
	}
}

func (n *notifier) remove(name string) {
	_ = n.fs.Remove(name) // what is gone already cannot be removed, and need not
}

func (n *notifier) full(path string) string { return filepath.Join(n.dir, filepath.FromSlash(path)) }

// Listen compares with what fsnotify itself believes to watch: it drops a
// folder that was renamed without a word.
func (n *notifier) Listen(folders []string) (added bool, err error) {
	want := make([]string, len(folders))
	for i, folder := range folders {
		want[i] = n.full(folder)
	}
	slices.Sort(want)
	have := n.fs.WatchList()
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
		switch err := n.fs.Add(name); {
		case err == nil:
			added = true
		case errors.Is(err, os.ErrNotExist):
		default:
			return added, fmt.Errorf("listen to %s: %w", name, err)
		}
	}
	return added, nil
}
