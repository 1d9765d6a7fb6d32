package engine

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/watcher"
	"github.com/memory-tiered/memory/workspace"
)

// WatchTree returns a workspace's folder as the watcher needs it. It fails while
// the folder does not exist.
func (e *Engine) WatchTree(name string) (watcher.Tree, error) {
	s, err := e.lookup(name)
	if err != nil {
		return nil, err
	}
	folder, err := s.openFolder()
	if err != nil {
		return nil, err
	}
	return watchTree{folder.Workspace}, nil
}

type watchTree struct{ *workspace.Workspace }

// Matters reports whether a change of a file may change what is indexed. It may hold
// memories or decisions about them, or decide which others do.
func (t watchTree) Matters(path string) bool {
	return path == memory.DecisionsFile || path == workspace.IgnoreFile || t.Indexable(path) || t.IsLinked(path) || t.Decides(path)
}

// Folders lists the folders to watch.
func (t watchTree) Folders(ctx context.Context) ([]string, error) {
	found, err := t.Scan(ctx)
	return found.Folders, err
}
