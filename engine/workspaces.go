package engine

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/workspace"
)

// Workspaces lists the registered workspaces by name.
func (e *Engine) Workspaces(context.Context) (memory.WorkspacesAnswer, error) {
	var answer memory.WorkspacesAnswer
	for _, s := range e.sortedWorkspaces() {
		answer.Workspaces = append(answer.Workspaces, s.info())
	}
	return answer, nil
}

// AddWorkspace registers a folder, or adds patterns to a registered one. It indexes the
// new files before it returns.
func (e *Engine) AddWorkspace(ctx context.Context, r memory.WorkspaceRequest) (memory.WorkspaceInfo, error) {
	if err := e.checkRegistry(); err != nil {
		return memory.WorkspaceInfo{}, err
	}
	if !filepath.IsAbs(r.Path) {
		return memory.WorkspaceInfo{}, memory.Invalid("path", "%q is not an absolute path", r.Path)
	}
	info, changed, err := e.register(ctx, r)
	if err == nil && changed {
		_, err = e.Index(ctx, memory.IndexRequest{Workspace: info.Name}, r.Progress)
	}
	if err != nil {
		return info, err
	}
	s, err := e.lookup(info.Name)
	if err != nil {
		return info, err
	}
	counting, cancel := context.WithTimeout(ctx, countTime)
	defer cancel()
	info.Coverage = s.coverage(counting)
	info.Unmatched, err = lookup.Unmatched(ctx, s.db, r.Patterns())
	return info, errors.Join(err, ctx.Err())
}

// register serves a folder, and reports whether it or one of the patterns is new.
func (e *Engine) register(ctx context.Context, r memory.WorkspaceRequest) (info memory.WorkspaceInfo, changed bool, err error) {
	e.registryMu.Lock()
	defer e.registryMu.Unlock()
	var served *workspaceState
	for _, s := range e.sortedWorkspaces() {
		if (r.Name == "" || r.Name == s.Name) && workspace.SameFolder(s.Dir, r.Path) {
			served = s
		}
	}
	if served != nil && r.Client == workspace.ClientDocuments && !served.Options.Documents {
		return info, false, memory.Conflict("the folder is the workspace %s, whose files are memories", served.Name).
			WithHint("keep documents in a folder of their own, or run memory workspace remove %s first", served.Name)
	}
	if served != nil && len(r.Patterns()) == 0 {
		return served.info(), false, nil
	}
	if served != nil {
		r.Name = served.Name
	}
	config, added, err := e.options().Registry.Add(r.Name, r.Path, r.Client, r.Patterns())
	if err != nil {
		return info, false, err
	}
	info = config.info()
	info.Added = added
	e.mu.RLock()
	moved := served == nil && e.workspaces[config.Name] != nil
	if moved { // its folder has another place now
		served = e.workspaces[config.Name]
	}
	e.mu.RUnlock()
	switch {
	case served == nil:
		s, err := openWorkspace(ctx, config, e.options(), nil)
		if err == nil {
			e.setWorkspace(config.Name, s)
		}
		return info, true, err
	case len(added) == 0 && !moved:
		return info, false, nil
	}
	return info, true, e.openAgain(ctx, served, beingOpened(config))
}

// RemoveWorkspace stops serving a workspace. Its Markdown and its database stay.
func (e *Engine) RemoveWorkspace(ctx context.Context, name string) error {
	if err := e.checkRegistry(); err != nil {
		return err
	}
	e.registryMu.Lock()
	defer e.registryMu.Unlock()
	return e.replaceWorkspace(ctx, name, nil, func() (string, *workspaceState, error) { return "", nil, e.options().Registry.Remove(name) })
}

// RenameWorkspace gives a workspace and its database another name.
func (e *Engine) RenameWorkspace(ctx context.Context, from, to string) (memory.WorkspaceInfo, error) {
	if err := e.checkRegistry(); err != nil {
		return memory.WorkspaceInfo{}, err
	}
	e.registryMu.Lock()
	defer e.registryMu.Unlock()
	var config WorkspaceConfig
	err := e.replaceWorkspace(ctx, from, nil, func() (_ string, _ *workspaceState, err error) {
		if config, err = e.options().Registry.Rename(from, to); err != nil {
			return "", nil, err
		}
		s, err := openWorkspace(ctx, config, e.options(), nil)
		return config.Name, s, err
	})
	return config.info(), err
}

func (e *Engine) checkRegistry() error {
	if e.options().Registry == nil {
		return memory.Unavailable(nil, "workspaces cannot be registered here")
	}
	return e.refuseWhenReadOnly()
}

// replaceWorkspace finishes the work on a workspace and closes it, changes the
// registry, and serves the workspace that change returns, if any. It serves the old
// one again if change fails. meanwhile answers until then; it may be nil.
func (e *Engine) replaceWorkspace(ctx context.Context, name string, meanwhile *workspaceState, change func() (string, *workspaceState, error)) error {
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
		if err := errors.Join(s.replaced.Finish(e.options().Now()), s.flush(ctx, e.options().Receipts.Keep)); err != nil {
			return err
		}
	}
	e.setWorkspace(name, meanwhile)
	if s.openErr == nil {
		defer s.backups.Hold()()
		if err := s.close(); err != nil {
			return err
		}
	}
	next, opened, err := change()
	if err != nil {
		again := openOrFail(ctx, s.WorkspaceConfig, e.options())
		again.opening = s.opening
		e.setWorkspace(name, again)
		return err
	}
	if opened != nil {
		e.setWorkspace(next, opened)
	}
	return nil
}

// setWorkspace serves a workspace under a name, or stops serving it if s is nil.
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
