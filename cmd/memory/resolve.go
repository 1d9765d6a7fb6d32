package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/internal/folder"
	"github.com/memory-tiered/memory/workspace"
)

// target is the workspace of a command line: a registered name, or a folder.
type target struct {
	name     string
	dir      string // if name is empty; symbolic links are resolved
	isNew    bool   // this command registered it
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
		for dir := folder.RealPath(cwd); ; dir = filepath.Dir(dir) {
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
	dir = folder.RealPath(dir)
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
	if known = registry.OfPersons(known); slices.ContainsFunc(known, func(w memory.WorkspaceInfo) bool { return w.Name == memory.DefaultWorkspace }) {
		return target{name: memory.DefaultWorkspace}, nil
	}
	if len(known) == 1 {
		return target{name: known[0].Name}, nil
	}
	if home, err := a.home(); err == nil && a.env("MEMORY_STATE_DIR") == "" {
		dir := folder.RealPath(filepath.Join(home, ".openclaw", "workspace"))
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return target{dir: dir, explicit: true}, nil
		}
	}
	return target{}, registry.ErrNoneNamed(known)
}

// targetFor returns the workspace of a command line. A command that only reads registers no
// folder that it merely found.
func (a *app) targetFor(known []memory.WorkspaceInfo, need access) (target, error) {
	t, err := a.resolveTarget(known)
	if t.dir != "" && !t.explicit && need != writesIndex {
		return t, &memory.Error{Kind: memory.ErrNotFound, Field: "workspace", Message: t.dir + " is not registered as a workspace",
			Hint: "register it once: memory workspace add " + workspace.ShellQuote(t.dir)}
	}
	return t, err
}

// selectWorkspace sets the workspace of a session with the service, which registers a
// folder at its first use.
func (a *app) selectWorkspace(ctx context.Context, s *session, known []memory.WorkspaceInfo, need access) error {
	t, err := a.targetFor(known, need)
	if err != nil {
		return err
	}
	if t.dir != "" {
		info, err := s.AddWorkspace(ctx, memory.WorkspaceRequest{Path: t.dir, Progress: a.show})
		if err != nil {
			return err
		}
		a.noteRegistered(info.Name, info.Path)
		a.noteNotCovered(info.Path, info.Coverage)
		t, known = target{name: info.Name}, []memory.WorkspaceInfo{info}
	}
	s.use(t, known)
	if !t.explicit {
		s.Backend = everywhere{Backend: s.Backend}
	}
	return nil
}

// use sets the workspace of a session, one of the known.
func (s *session) use(t target, known []memory.WorkspaceInfo) {
	for _, w := range known {
		if w.Name == t.name {
			s.Workspace, s.Dir = w.Name, w.Path
		}
	}
}

// register registers the folder of the command line before this process opens an engine.
// The target becomes the registered name.
func (a *app) register(cfg *config.Loaded, stateDir string, t *target) (*config.Loaded, error) {
	r := registry.Registry{File: cfg.File, Environ: a.environ, StateDir: stateDir}
	w, _, err := r.Add("", t.dir, "", nil)
	if err != nil {
		return cfg, err
	}
	a.noteRegistered(w.Name, w.Dir)
	*t = target{name: w.Name, isNew: true}
	next, _, err := a.load()
	return next, err
}

// noteRegistered reports that a folder is a workspace from now on.
func (a *app) noteRegistered(name, dir string) {
	a.note("registered %s as the workspace %s", dir, name)
}

// noteNotCovered reports the Markdown files of a folder that no pattern matches, with
// the command that includes them.
func (a *app) noteNotCovered(dir string, c *memory.Coverage) {
	if c == nil || c.NotCovered == 0 {
		return
	}
	a.note("%s has %s", display.Name(dir), display.NotIndexed(dir, *c))
}
