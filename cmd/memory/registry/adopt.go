package registry

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/engine/statefolder"
	"github.com/memory-tiered/memory/internal/folder"
	"github.com/memory-tiered/memory/workspace"
)

// adoptDatabase prepares the database of a workspace that is about to be registered. A
// database belongs to its folder, whatever the name: the folder gets the one that it had
// before it was removed. The database of another folder is set aside.
func (r *Registry) adoptDatabase(cfg *config.Loaded, name, dir string) error {
	id := folder.Identify(dir)
	path := r.databasePath(cfg, name)
	if owner, known := folder.Owner(path); known && owner.Same(id) {
		return nil
	}
	former := r.formerDatabase(cfg, name, id)
	if err := r.setAside(path, name); err != nil || former == "" {
		return err
	}
	return statefolder.MoveDatabase(former, path)
}

// formerDatabase returns the database that a folder had under a name that was removed,
// or "". Of several it is the one that was used last.
func (r *Registry) formerDatabase(cfg *config.Loaded, name string, id folder.ID) string {
	inUse := []string{r.databasePath(cfg, name)}
	for _, w := range Workspaces(cfg) {
		inUse = append(inUse, r.databasePath(cfg, w.Name))
	}
	found, _ := filepath.Glob(filepath.Join(r.StateDir, "workspaces", "*", "tiered.db")) // a bad pattern only
	found = append(found, r.databasePath(cfg, memory.DefaultWorkspace))
	found = slices.DeleteFunc(found, func(path string) bool {
		owner, known := folder.Owner(path)
		return slices.Contains(inUse, path) || !known || !owner.Same(id) || changedAt(path).IsZero()
	})
	slices.SortStableFunc(found, func(a, b string) int { return changedAt(b).Compare(changedAt(a)) })
	if len(found) == 0 {
		return ""
	}
	return found[0]
}

// changedAt returns when a file was last written, or the zero time.
func changedAt(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// setAside moves the database of a workspace that was removed out of the way of another
// one with its name.
func (r *Registry) setAside(path, name string) error {
	return statefolder.MoveDatabase(path, r.asidePath(name))
}

func (r *Registry) asidePath(name string) string {
	return filepath.Join(r.StateDir, "workspaces", name+".removed-"+time.Now().UTC().Format("20060102T150405.000Z"), "tiered.db")
}

// movedWorkspace returns the workspace whose folder was moved to dir, or "". Another
// folder may have its old place by now.
func (r *Registry) movedWorkspace(cfg *config.Loaded, dir string) string {
	id := folder.Identify(dir)
	for _, w := range Workspaces(cfg) {
		owner, known := folder.Owner(r.databasePath(cfg, w.Name))
		if !known || !owner.Same(id) || owner.Path == id.Path {
			continue
		}
		there := folder.Identify(w.Path)
		if there.IsGone() || there.Path == owner.Path && there.System != owner.System {
			return w.Name
		}
	}
	return ""
}

// follow gives a workspace the new place of its folder.
func (r *Registry) follow(moved, name, dir string) error {
	if name = cmp.Or(name, moved); name != moved {
		return memory.Conflict("%s is the folder of the workspace %s, which was moved", dir, moved).
			WithHint("memory workspace add %s tells its new place; then memory workspace rename %s %s", workspace.ShellQuote(dir), moved, name)
	}
	return config.Set(r.File, "workspaces."+name+".path", dir)
}
