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

// Indexable reports whether a change of the file matters: it may hold memories, or
// decisions about them.
func (t watchTree) Indexable(path string) bool {
	return path == memory.DecisionsFile || t.Workspace.Indexable(path)
}

// Scan identifies each file by its version, which only a write changes.
func (t watchTree) Scan(ctx context.Context) (watcher.ScanResult, error) {
	l, err := t.Workspace.Scan(ctx)
	if err != nil {
		return watcher.ScanResult{}, err
	}
	files := make(map[string]string, len(l.Files)+1)
	for _, f := range l.Files {
		files[f.Path] = f.Version()
	}
	// If it cannot be read, the next ingest reports the fault.
	if f, there, err := t.Stat(memory.DecisionsFile); err == nil && there {
		files[f.Path] = f.Version()
	}
	for _, link := range l.BadLinks { // a change of its fault must be noted
		files[link.Path] = link.Message
	}
	return watcher.ScanResult{Files: files, Folders: l.Folders, Links: l.Links, LinkParts: l.LinkParts,
		RuleFiles: []string{workspace.IgnoreFile}}, nil
}
