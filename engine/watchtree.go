package engine

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/watcher"
	"github.com/memory-tiered/memory/workspace"
)

// WatchTree is a workspace's folder as the watcher looks at it. It fails while the
// folder is not there.
func (e *Engine) WatchTree(name string) (watcher.Tree, error) {
	s, err := e.lookup(name)
	if err != nil {
		return nil, err
	}
	d, err := s.openFolder()
	if err != nil {
		return nil, err
	}
	return watchTree{d.Workspace}, nil
}

type watchTree struct{ *workspace.Workspace }

// Indexable says that a change of this file is worth a look: it may hold
// memories, or decisions about them.
func (t watchTree) Indexable(path string) bool {
	return path == memory.DecisionsFile || t.Workspace.Indexable(path)
}

// Scan tells files apart by their version, which only a write changes.
func (t watchTree) Scan(ctx context.Context) (watcher.ScanResult, error) {
	l, err := t.Workspace.Scan(ctx)
	if err != nil {
		return watcher.ScanResult{}, err
	}
	files := make(map[string]string, len(l.Files)+1)
	for _, f := range l.Files {
		files[f.Path] = f.Version()
	}
	// One that cannot be looked at is a fault of the next look.
	if f, there, err := t.Stat(memory.DecisionsFile); err == nil && there {
		files[f.Path] = f.Version()
	}
	return watcher.ScanResult{Files: files, Folders: l.Folders, Links: l.Links, RuleFiles: []string{workspace.IgnoreFile}}, nil
}
