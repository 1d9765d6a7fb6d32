package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/everywhere"
	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/workspace"
)

// target is the workspace of a command line: a registered name, or a folder.
type target struct {
	name     string
	dir      string // if name is empty; symbolic links are resolved
	all      bool   // none is named, and several are registered
	explicit bool   // named by a flag or a variable, or the default; otherwise found from the current folder
}

// resolveTarget looks for the workspace in the flag, in the environment, and in
// the current folder and its parents, in this order.
func (a *app) resolveTarget(known []memory.WorkspaceInfo) (target, error) {
	for _, value := range []string{a.workspaceFlag, a.env("MEMORY_WORKSPACE")} {
		if value != "" {
			return parseTarget(value, known)
		}
	}
	if cwd, err := os.Getwd(); err == nil {
		for dir := registry.RealPath(cwd); ; dir = filepath.Dir(dir) {
			if name, ok := registry.NameOf(known, dir); ok {
				return target{name: name}, nil
			}
			if _, err := os.Stat(filepath.Join(dir, "MEMORY.md")); err == nil {
				return target{dir: dir}, nil
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return a.defaultTarget(known)
}

// parseTarget reads a name or a folder. A registered name takes precedence over a
// folder of the same name.
func parseTarget(value string, known []memory.WorkspaceInfo) (target, error) {
	for _, w := range known {
		if w.Name == value {
			return target{name: value, explicit: true}, nil
		}
	}
	dir, err := filepath.Abs(value)
	if err != nil {
		return target{}, err
	}
	dir = registry.RealPath(dir)
	if name, ok := registry.NameOf(known, dir); ok {
		return target{name: name, explicit: true}, nil
	}
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return target{dir: dir, explicit: true}, nil
	}
	err = &memory.Error{Kind: memory.ErrNotFound, Field: "workspace", Message: fmt.Sprintf("%q is neither a registered workspace nor a folder", value),
		Hint: "memory workspace list lists the registered workspaces"}
	return target{}, err
}

// defaultTarget returns the workspace of a command line that names none.
func (a *app) defaultTarget(known []memory.WorkspaceInfo) (target, error) {
	for _, w := range known {
		if w.Name == memory.DefaultWorkspace {
			return target{name: w.Name}, nil
		}
	}
	if len(known) == 1 {
		return target{name: known[0].Name}, nil
	}
	if home, err := a.home(); err == nil && a.env("MEMORY_STATE_DIR") == "" {
		dir := registry.RealPath(filepath.Join(home, ".openclaw", "workspace"))
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return target{dir: dir, explicit: true}, nil
		}
	}
	return target{all: len(known) > 1}, registry.ErrNoneNamed(known)
}

// targetFor returns the workspace of a command line, or all where the command may ask them all.
func (a *app) targetFor(known []memory.WorkspaceInfo, need access) (t target, err error) {
	if t, err = a.resolveTarget(known); t.all && need == readsAll {
		err = nil
	}
	return t, err
}

// selectWorkspace sets the workspace of a session, and registers its folder at the
// first use.
func (a *app) selectWorkspace(ctx context.Context, s *session, known []memory.WorkspaceInfo, need access) error {
	t, err := a.targetFor(known, need)
	if err != nil {
		return err
	}
	if t.all {
		s.Backend = everywhere.New(s.Backend, known, func(name string, err error) { fmt.Fprintf(a.err, "note: %s is not in the answer: %v\n", name, err) })
		return nil
	}
	if t.name == "" {
		if !t.explicit && need != writesIndex {
			return errNotRegistered(t.dir)
		}
		bar := a.progress()
		info, err := s.AddWorkspace(ctx, memory.WorkspaceRequest{Path: t.dir, Progress: bar.Show})
		bar.Done()
		if err != nil {
			return err
		}
		a.noteRegistered(info.Name, info.Path)
		a.noteNotCovered(info.Path, info.Coverage)
		s.Workspace, s.Dir = info.Name, info.Path
		return nil
	}
	for _, w := range known {
		if w.Name == t.name {
			s.Workspace, s.Dir = w.Name, w.Path
		}
	}
	return nil
}

// errNotRegistered is the error of a command that only reads, in a folder that it found.
func errNotRegistered(dir string) error {
	return &memory.Error{Kind: memory.ErrNotFound, Field: "workspace", Message: dir + " is not registered as a workspace",
		Hint: "register it once: memory workspace add " + workspace.ShellQuote(dir)}
}

// registerTarget registers the folder of the command line before this process
// opens an engine. added is nil if the folder was registered already.
func (a *app) registerTarget(cfg *config.Loaded, stateDir string, need access) (next *config.Loaded, added *engine.WorkspaceConfig, err error) {
	t, err := a.targetFor(registry.Workspaces(cfg), need)
	switch {
	case err != nil || t.name != "" || t.all:
		return cfg, nil, err
	case !t.explicit && need != writesIndex:
		return cfg, nil, errNotRegistered(t.dir)
	}
	r := registry.Registry{File: cfg.File, Environ: a.environ, StateDir: stateDir}
	w, _, err := r.Add("", t.dir, nil)
	if err != nil {
		return cfg, nil, err
	}
	a.noteRegistered(w.Name, w.Dir)
	cfg, _, err = a.load()
	return cfg, &w, err
}

// workspacesToOpen lists the one workspace that a command uses, so that the engine
// opens no other database. nil means all workspaces.
func (a *app) workspacesToOpen(cfg *config.Loaded, need access) []string {
	if !need.selectsWorkspace() {
		return nil
	}
	t, err := a.targetFor(registry.Workspaces(cfg), need)
	switch {
	case err == nil && t.all:
		return nil
	case err != nil || t.name == "":
		return []string{}
	}
	return []string{t.name}
}

// noteRegistered reports that a folder is a workspace from now on.
func (a *app) noteRegistered(name, dir string) {
	fmt.Fprintf(a.err, "note: registered %s as the workspace %s\n", dir, name)
}
