package registry

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/internal/folder"
	"github.com/memory-tiered/memory/workspace"
)

// Workspaces lists the workspaces of a configuration.
func Workspaces(cfg *config.Loaded) []memory.WorkspaceInfo {
	var known []memory.WorkspaceInfo
	for _, name := range cfg.WorkspaceNames() {
		known = append(known, memory.WorkspaceInfo{Name: name, Path: cfg.Workspaces[name].Path, Client: cfg.Workspaces[name].Client})
	}
	return known
}

// OfPersons lists the workspaces that are no memory of an agent's client.
func OfPersons(known []memory.WorkspaceInfo) []memory.WorkspaceInfo {
	return slices.DeleteFunc(slices.Clone(known), func(w memory.WorkspaceInfo) bool { return w.Client != "" })
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

// ErrNoneNamed is the error of a command that names no workspace, where several are registered
// or none.
func ErrNoneNamed(known []memory.WorkspaceInfo) error {
	err := &memory.Error{Kind: memory.ErrNotFound, Field: "workspace", Message: "no workspace found",
		Hint: "name a folder with -w DIR, or go to a folder that contains MEMORY.md"}
	if len(known) > 0 {
		var names, flags []string
		for _, w := range known {
			names, flags = append(names, w.Name), append(flags, "-w "+workspace.ShellQuote(w.Path))
		}
		err.Message = "this folder is in no workspace; registered are " + strings.Join(names, ", ")
		err.Hint = "name one of them: " + strings.Join(flags, ", or ")
	}
	return err
}

// AreApart reports whether none of two folders contains the other one.
func AreApart(a, b string) bool {
	a, b = folder.RealPath(a), folder.RealPath(b)
	return !folder.Contains(a, b) && !folder.Contains(b, a)
}
