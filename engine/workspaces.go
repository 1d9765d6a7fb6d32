package engine

import (
	"context"
	"path/filepath"

	"github.com/memory-tiered/memory"
)

// Workspaces lists the registered workspaces by name.
func (e *Engine) Workspaces(context.Context) (memory.WorkspacesAnswer, error) {
	var answer memory.WorkspacesAnswer
	for _, s := range e.sortedWorkspaces() {
		answer.Workspaces = append(answer.Workspaces, memory.WorkspaceInfo{Name: s.Name, Path: s.Dir})
	}
	return answer, nil
}

// AddWorkspace registers a folder and indexes it before it answers. A folder
// that is registered already is found again.
func (e *Engine) AddWorkspace(ctx context.Context, r memory.WorkspaceRequest) (memory.WorkspaceInfo, error) {
	if err := e.checkRegistry(); err != nil {
		return memory.WorkspaceInfo{}, err
	}
	if !filepath.IsAbs(r.Path) {
		return memory.WorkspaceInfo{}, memory.Invalid("path", "%q is not an absolute path", r.Path)
	}
	for _, s := range e.sortedWorkspaces() {
		if filepath.Clean(s.Dir) == filepath.Clean(r.Path) && (r.Name == "" || r.Name == s.Name) {
			return memory.WorkspaceInfo{Name: s.Name, Path: s.Dir}, nil
		}
	}
	f, err := e.o.Registry.Add(r.Name, r.Path)
	if err != nil {
		return memory.WorkspaceInfo{}, err
	}
	s, err := openWorkspace(ctx, f, e.o)
	if err != nil {
		return memory.WorkspaceInfo{}, err
	}
	e.setWorkspace(f.Name, s)
	_, err = e.Index(ctx, memory.IndexRequest{Workspace: f.Name}, nil)
	return memory.WorkspaceInfo{Name: f.Name, Path: f.Dir}, err
}

// RemoveWorkspace stops serving a workspace. Its Markdown and its database stay
// where they are.
func (e *Engine) RemoveWorkspace(ctx context.Context, name string) error {
	if err := e.checkRegistry(); err != nil {
		return err
	}
	return e.replaceWorkspace(ctx, name, func() (string, *workspaceState, error) { return "", nil, e.o.Registry.Remove(name) })
}

// RenameWorkspace gives a workspace another name; its database goes with it.
func (e *Engine) RenameWorkspace(ctx context.Context, from, to string) (memory.WorkspaceInfo, error) {
	if err := e.checkRegistry(); err != nil {
		return memory.WorkspaceInfo{}, err
	}
	var f WorkspaceConfig
	err := e.replaceWorkspace(ctx, from, func() (_ string, _ *workspaceState, err error) {
		if f, err = e.o.Registry.Rename(from, to); err != nil {
			return "", nil, err
		}
		s, err := openWorkspace(ctx, f, e.o)
		return f.Name, s, err
	})
	return memory.WorkspaceInfo{Name: f.Name, Path: f.Dir}, err
}

func (e *Engine) checkRegistry() error {
	if e.o.Registry == nil {
		return memory.Unavailable(nil, "workspaces cannot be registered here")
	}
	return e.refuseWhenReadOnly()
}

// replaceWorkspace closes the index of a workspace, changes what is registered, and
// serves what it is now, if anything.
func (e *Engine) replaceWorkspace(ctx context.Context, name string, change func() (string, *workspaceState, error)) error {
	e.mu.RLock()
	s, ok := e.workspaces[name]
	e.mu.RUnlock()
	if !ok {
		_, err := e.lookup(name)
		return err
	}
	if s.openErr == nil {
		unlock, err := s.lockIngest(ctx)
		if err != nil {
			return err
		}
		defer unlock()
		if err := s.flush(ctx, e.o.Receipts.Keep); err != nil {
			return err
		}
	}
	e.setWorkspace(name, nil)
	if s.openErr == nil {
		if err := s.close(); err != nil {
			return err
		}
	}
	next, opened, err := change()
	if err != nil {
		if again, reopenErr := openWorkspace(ctx, s.WorkspaceConfig, e.o); reopenErr == nil {
			e.setWorkspace(name, again)
		}
		return err
	}
	if opened != nil {
		e.setWorkspace(next, opened)
	}
	return nil
}

// setWorkspace puts a workspace in its place, or takes it away, and tells the service.
func (e *Engine) setWorkspace(name string, s *workspaceState) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if s == nil {
		delete(e.workspaces, name)
	} else {
		e.workspaces[name] = s
	}
	close(e.changed)
	e.changed = make(chan struct{})
}
