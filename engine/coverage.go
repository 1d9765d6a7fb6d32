package engine

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/workspace"
)

// CountTime is how long Status counts Markdown files, in all workspaces together. A
// client waits five seconds for its answer.
const CountTime = 2 * time.Second

// A count is used again for this many times as long as it took. So frequent requests
// spend a twentieth of their time on it.
const countReuse = 20

// countedFiles is the last count of a workspace's Markdown files.
type countedFiles struct {
	coverage memory.Coverage
	until    time.Time
}

// coverage counts the Markdown files of a workspace that are memories and that are not.
// It returns nil while the folder cannot be read.
func (s *workspaceState) coverage(ctx context.Context) *memory.Coverage {
	folder, err := s.openFolder()
	if err != nil {
		return nil
	}
	begin := time.Now()
	s.mu.Lock()
	last := s.counted
	s.mu.Unlock()
	if begin.Before(last.until) {
		return &last.coverage
	}
	c, err := folder.Coverage(ctx, workspace.DefaultCoverageEntries)
	if err != nil {
		return nil
	}
	end := time.Now()
	s.mu.Lock()
	s.counted = countedFiles{c, end.Add(countReuse * end.Sub(begin))}
	s.mu.Unlock()
	return &c
}

// info describes a workspace without counting its files.
func (c WorkspaceConfig) info() memory.WorkspaceInfo {
	return memory.WorkspaceInfo{Name: c.Name, Path: c.Dir, Globs: c.Options.Patterns()}
}
