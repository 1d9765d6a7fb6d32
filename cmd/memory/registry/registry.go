// Package registry keeps the registered workspaces in the configuration file, and finds the
// database of each. A database belongs to its folder, whatever the name.
package registry

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/engine/statefolder"
	"github.com/memory-tiered/memory/internal/folder"
	"github.com/memory-tiered/memory/workspace"
)

// Registry keeps the registered workspaces in the configuration file.
type Registry struct {
	File     string // the configuration file
	Environ  []string
	StateDir string // where the databases are
}

// WorkspaceConfig returns what the engine needs to open a workspace.
func (r *Registry) WorkspaceConfig(cfg *config.Loaded, name string) (engine.WorkspaceConfig, error) {
	w := cfg.Workspaces[name]
	zone, err := w.Zone()
	if err != nil {
		return engine.WorkspaceConfig{}, err
	}
	isDocuments := w.Client == workspace.ClientDocuments
	o := workspace.Options{ReadOnly: w.ReadOnly || isDocuments, Documents: isDocuments}
	for _, g := range w.Globs {
		var tier memory.Tier
		if g.Tier != "" {
			if tier, err = memory.ParseTier(g.Tier); err != nil {
				return engine.WorkspaceConfig{}, err
			}
		}
		o.Globs = append(o.Globs, workspace.Glob{Pattern: g.Glob, Tier: tier, Scope: memory.Scope(g.Scope), Inject: (g.Inject == nil || *g.Inject) && (w.Inject || !isDocuments)})
	}
	if err := workspace.CheckGlobs(o.Globs); err != nil {
		key := "workspaces." + name + ".globs"
		return engine.WorkspaceConfig{}, cfg.Locate(memory.Invalid(key, "%s: %s", key, err).WithHint("a glob is a path in the workspace, for example notes/**/*.md"))
	}
	switch {
	case isDocuments && len(o.Globs) == 0:
		o.Globs = []workspace.Glob{{Pattern: "**", Tier: memory.TierWarm, Inject: w.Inject}}
	case w.Client != "" && !isDocuments:
		o.Globs = append(o.Globs, workspace.Glob{Pattern: memory.AllMarkdown, Tier: memory.TierWarm, Inject: true})
	}
	return engine.WorkspaceConfig{Name: name, Dir: w.Path, DBPath: r.databasePath(cfg, name), Schema: w.Schema, Zone: zone, Options: o, Client: w.Client, Pushed: w.Inject,
		DecisionsFile: w.Decisions == "file", Machines: w.Machines, Refused: refuseSecondName(cfg, name)}, nil
}

func (r *Registry) databasePath(cfg *config.Loaded, name string) string {
	if name == memory.DefaultWorkspace {
		if cfg.DBPath != "" {
			return cfg.DBPath
		}
		return filepath.Join(r.StateDir, "tiered.db")
	}
	return filepath.Join(r.StateDir, "workspaces", name, "tiered.db")
}

// Add registers a folder, or adds patterns to a registered one. An empty name is
// derived from the folder's. A folder has one name only: two indexes of the same files
// would contradict each other. So a folder that was moved keeps its name. Add returns
// the patterns that were not there. With a client, the folder is that client's own memory.
func (r *Registry) Add(name, dir, client string, patterns []string) (w engine.WorkspaceConfig, added []string, err error) {
	cfg, err := config.Load(r.File, r.Environ)
	if err != nil {
		return w, nil, err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return w, nil, &memory.Error{Kind: memory.ErrNotFound, Field: "path", Message: dir + " is not a folder", Cause: err,
			Hint: "name a folder that exists, such as the one with MEMORY.md; mkdir -p DIR makes one"}
	}
	if err := checkPatterns(patterns); err != nil {
		return w, nil, err
	}
	dir = folder.RealPath(dir)
	existing, registered := NameOf(Workspaces(cfg), dir)
	moved := ""
	if !registered {
		moved = r.movedWorkspace(cfg, dir)
	}
	switch {
	case registered && (name == "" || name == existing):
		name = existing
	case moved != "":
		if err := r.follow(moved, name, dir); err != nil {
			return w, nil, err
		}
		name = moved
	default:
		if name, err = newName(cfg, name, dir, client); err == nil {
			err = r.adoptDatabase(cfg, name, dir)
		}
		if err != nil {
			return w, nil, err
		}
	}
	if added, err = config.AddWorkspace(r.File, name, dir, client, patterns); err != nil {
		return w, nil, err
	}
	w, err = r.reload(name)
	return w, added, err
}

func checkPatterns(patterns []string) error {
	var globs []workspace.Glob
	for _, p := range patterns {
		globs = append(globs, workspace.Glob{Pattern: p})
	}
	return workspace.CheckGlobs(globs)
}

// newName returns the name of a folder that is not registered yet: the given one, or
// one like the folder's.
func newName(cfg *config.Loaded, name, dir, client string) (string, error) {
	if name == "" {
		name = cfg.FreeName(cmp.Or(nativeName(client, dir), dir))
	}
	if err := config.CheckName("workspace", name); err != nil {
		return "", err
	}
	if w, taken := cfg.Workspaces[name]; taken {
		return "", memory.Conflict("the name %s already belongs to %s", name, w.Path).WithHint("choose another name")
	}
	return name, CheckFolderIsFree(cfg, name, dir)
}

// CheckFolderIsFree returns an error if a folder is registered under another name.
func CheckFolderIsFree(cfg *config.Loaded, name, dir string) error {
	for _, w := range Workspaces(cfg) {
		if w.Name != name && workspace.SameFolder(w.Path, dir) {
			return memory.Conflict("%s is already registered as the workspace %s", dir, w.Name).
				WithHint("use it with -w %s, or give it the other name: memory workspace rename %s %s", w.Name, w.Name, name)
		}
	}
	return nil
}

// refuseSecondName returns an error if an earlier workspace of the configuration file has the
// folder of a workspace too, or the schema of its index.
func refuseSecondName(cfg *config.Loaded, name string) error {
	schema := cfg.Workspaces[name].Schema
	for _, w := range Workspaces(cfg) {
		if w.Name == name {
			return nil
		}
		if schema != "" && cfg.Workspaces[w.Name].Schema == schema {
			return memory.Conflict("the workspaces %s and %s have one schema, %s", w.Name, name, schema).
				WithHint("memory config set workspaces.%s.schema NAME gives it another one", name)
		}
		if workspace.SameFolder(w.Path, cfg.Workspaces[name].Path) {
			return memory.Conflict("the folder of %s is already the workspace %s: memory workspace remove %s removes the second name", name, w.Name, name).
				WithHint("use -w %s, or correct the path of %s in %s", w.Name, name, cfg.File)
		}
	}
	return nil
}

// Remove removes a workspace from the configuration.
func (r *Registry) Remove(name string) error { return config.Unset(r.File, "workspaces."+name) }

// Rename gives a workspace another name, and moves its database with all that belongs
// to it.
func (r *Registry) Rename(from, to string) (engine.WorkspaceConfig, error) {
	cfg, err := config.Load(r.File, r.Environ)
	if err != nil {
		return engine.WorkspaceConfig{}, err
	}
	if err := config.CheckName("workspace", to); err != nil {
		return engine.WorkspaceConfig{}, err
	}
	if _, taken := cfg.Workspaces[to]; taken {
		return engine.WorkspaceConfig{}, memory.Conflict("there is already a workspace %s", to).WithHint("choose another name")
	}
	if err := config.RenameWorkspace(r.File, from, to); err != nil {
		return engine.WorkspaceConfig{}, err
	}
	if err := r.moveDatabase(cfg, from, to); err != nil {
		return engine.WorkspaceConfig{}, errors.Join(err, config.RenameWorkspace(r.File, to, from))
	}
	return r.reload(to)
}

// moveDatabase moves the database of a workspace to that of its new name. A workspace
// of that name that was removed has left its database: it is set aside.
func (r *Registry) moveDatabase(cfg *config.Loaded, from, to string) error {
	path := r.databasePath(cfg, to)
	aside := r.asidePath(to)
	if err := statefolder.MoveDatabase(path, aside); err != nil {
		return err
	}
	if err := statefolder.MoveDatabase(r.databasePath(cfg, from), path); err != nil {
		return errors.Join(err, statefolder.MoveDatabase(aside, path))
	}
	return nil
}

func (r *Registry) reload(name string) (engine.WorkspaceConfig, error) {
	cfg, err := config.Load(r.File, r.Environ)
	if err != nil {
		return engine.WorkspaceConfig{}, err
	}
	return r.WorkspaceConfig(cfg, name)
}
