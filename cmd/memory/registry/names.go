package registry

import (
	"path/filepath"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/workspace"
)

// Workspaces lists the workspaces of a configuration.
func Workspaces(cfg *config.Loaded) []memory.WorkspaceInfo {
	var known []memory.WorkspaceInfo
	for _, name := range cfg.WorkspaceNames() {
		known = append(known, memory.WorkspaceInfo{Name: name, Path: cfg.Workspaces[name].Path})
	}
	return known
}

// NameOf returns the registered name of a folder, by whatever path.
func NameOf(known []memory.WorkspaceInfo, dir string) (string, bool) {
	for _, w := range known {
		if workspace.SameFolder(w.Path, dir) {
			return w.Name, true
		}
	}
	return "", false
}

// RealPath resolves symbolic links, so that every path to a folder gives the same
// result.
func RealPath(dir string) string {
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		return resolved
	}
	return filepath.Clean(dir)
}
