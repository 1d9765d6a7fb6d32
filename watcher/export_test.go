package watcher

import (
	"time"

	"github.com/fsnotify/fsnotify"
)

// Source is what a test puts in the place of fsnotify.
type Source interface {
	Events() <-chan fsnotify.Event
	Errors() <-chan error
	Listen(folders []string) (added bool, err error)
	Drop(folder string)
	Close() error
}

// Use makes w hear from what open gives, and sleep by what wall says.
func (w *Watcher) Use(open func(dir string) (Source, error), wall func() time.Time) {
	w.open = func(dir string) (source, error) {
		s, err := open(dir)
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	if wall != nil {
		w.wall = wall
	}
}

// MaxPending is how many paths are remembered by name.
const MaxPending = maxPending
