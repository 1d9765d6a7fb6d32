package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
)

// meaning is what a command line says of the workspace it is about.
type meaning struct {
	name  string // a name
	dir   string // or a folder, links resolved
	named bool   // somebody said so; otherwise the folder was merely found
}

// means reads the flag, the environment, and the folders from here upward.
func (a *app) means(known []memory.WorkspaceInfo) (meaning, error) {
	for _, said := range []string{a.workspaceFlag, a.env("MEMORY_WORKSPACE")} {
		if said != "" {
			return spoken(said, known)
		}
	}
	if cwd, err := os.Getwd(); err == nil {
		for dir := resolve(cwd); ; dir = filepath.Dir(dir) {
			if name, ok := registered(known, dir); ok {
				return meaning{name: name}, nil
			}
			if _, err := os.Stat(filepath.Join(dir, "MEMORY.md")); err == nil {
				return meaning{dir: dir}, nil
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return a.fallback(known)
}

// spoken reads one name or folder: a name wins where it is registered, and a
// folder is recognised by being one.
func spoken(said string, known []memory.WorkspaceInfo) (meaning, error) {
	for _, w := range known {
		if w.Name == said {
			return meaning{name: said, named: true}, nil
		}
	}
	dir, err := filepath.Abs(said)
	if err != nil {
		return meaning{}, err
	}
	dir = resolve(dir)
	if name, ok := registered(known, dir); ok {
		return meaning{name: name, named: true}, nil
	}
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return meaning{dir: dir, named: true}, nil
	}
	err = &memory.Error{Kind: memory.ErrNotFound, Field: "workspace", Message: fmt.Sprintf("%q is neither a registered workspace nor a folder", said),
		Hint: "memory workspace list shows those there are"}
	return meaning{}, err
}

// fallback is the workspace meant where nothing says which.
func (a *app) fallback(known []memory.WorkspaceInfo) (meaning, error) {
	for _, w := range known {
		if w.Name == memory.DefaultWorkspace {
			return meaning{name: w.Name}, nil
		}
	}
	if len(known) == 1 {
		return meaning{name: known[0].Name}, nil
	}
	if home, err := a.home(); err == nil && a.env("MEMORY_STATE_DIR") == "" {
		dir := resolve(filepath.Join(home, ".openclaw", "workspace"))
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return meaning{dir: dir, named: true}, nil
		}
	}
	return meaning{}, &memory.Error{Kind: memory.ErrNotFound, Field: "workspace", Message: "no workspace here",
		Hint: "name one: -w DIR, or go to a folder that holds MEMORY.md; memory workspace list shows those there are"}
}

func registered(known []memory.WorkspaceInfo, dir string) (string, bool) {
	for _, w := range known {
		if resolve(w.Path) == dir {
			return w.Name, true
		}
	}
	return "", false
}

// resolve follows links, so that a folder is the same by every way to it.
func resolve(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return filepath.Clean(dir)
}

// choose settles which workspace a session is about, and registers a folder at
// its first use.
func (a *app) choose(ctx context.Context, s *session, known []memory.WorkspaceInfo, need access) error {
	m, err := a.means(known)
	if err != nil {
		return err
	}
	if m.name == "" {
		if !m.named && need == reads {
			return unregistered(m.dir)
		}
		info, err := s.AddWorkspace(ctx, memory.WorkspaceRequest{Path: m.dir})
		if err != nil {
			return err
		}
		a.sayRegistered(info.Name, info.Path)
		s.Workspace, s.Dir = info.Name, info.Path
		return nil
	}
	for _, w := range known {
		if w.Name == m.name {
			s.Workspace, s.Dir = w.Name, w.Path
		}
	}
	return nil
}

// unregistered is what a command that only reads says of a folder that was
// merely found.
func unregistered(dir string) error {
	return &memory.Error{Kind: memory.ErrNotFound, Field: "workspace", Message: dir + " is not registered as a workspace",
		Hint: "register it once: memory workspace add " + quoted(dir)}
}

// registerMeant registers the folder that the command line or the environment
// names, or that was found here, before an engine is opened in this process.
func (a *app) registerMeant(cfg *config.Loaded, stateDir string, need access) (*config.Loaded, error) {
	m, err := a.means(workspacesOf(cfg))
	switch {
	case err != nil || m.name != "":
		return cfg, err
	case !m.named && need == reads:
		return cfg, unregistered(m.dir)
	}
	r := registry{file: cfg.File, environ: a.environ, stateDir: stateDir}
	f, err := r.Add("", m.dir)
	if err != nil {
		return cfg, err
	}
	a.sayRegistered(f.Name, f.Dir)
	cfg, _, err = a.load()
	return cfg, err
}

// meant is the one workspace that a command will ask for, so that no other
// database is opened for it; nil: all of them.
func (a *app) meant(cfg *config.Loaded, need access) []string {
	if need == anywhere {
		return nil
	}
	m, err := a.means(workspacesOf(cfg))
	if err != nil || m.name == "" {
		return []string{}
	}
	return []string{m.name}
}

func workspacesOf(cfg *config.Loaded) []memory.WorkspaceInfo {
	var known []memory.WorkspaceInfo
	for _, name := range cfg.WorkspaceNames() {
		known = append(known, memory.WorkspaceInfo{Name: name, Path: cfg.Workspaces[name].Path})
	}
	return known
}

// sayRegistered tells that a folder is a workspace from now on.
func (a *app) sayRegistered(name, dir string) {
	fmt.Fprintf(a.err, "note: registered %s as the workspace %s\n", dir, name)
}

func quoted(path string) string {
	if strings.ContainsAny(path, " '\"\\$") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}
