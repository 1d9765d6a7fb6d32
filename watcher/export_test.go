package watcher

import (
	"time"

	"github.com/fsnotify/fsnotify"
)

// Source lets tests replace fsnotify.
type Source interface {
	Events() <-chan fsnotify.Event
	Errors() <-chan error
	SetFolders(folders []string, renew bool) (added bool, err error)
	Close() error
}

// Use makes w take its events from open, and the wall clock from wall.
func (w *Watcher) Use(open func(dir string) (Source, error), wall func() time.Time) {
	w.openSource = func(dir string) (source, error) {
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
