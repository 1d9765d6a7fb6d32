package engine

import (
	"errors"
	"path/filepath"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/internal/folder"
	"github.com/memory-tiered/memory/internal/git"
)

// lookupFor finds the workspace of a request: the named one. Without a name it is the one
// of the folder where the agent works: the nearest registered folder upward from it. Where
// no folder is registered, or none is given, it is the default workspace.
func (e *Engine) lookupFor(name, workingFolder string) (*workspaceState, error) {
	if name == "" && filepath.IsAbs(workingFolder) {
		name = e.workspaceAbove(workingFolder)
	}
	return e.lookup(name)
}

// lookupAnswering is lookupFor for a question that other workspaces answer too. If there is no
// workspace of a person, it finds one of theirs: the one in the project of the folder comes first.
func (e *Engine) lookupAnswering(name, workingFolder string) (*workspaceState, error) {
	s, err := e.lookupFor(name, workingFolder)
	if name != "" || !errors.Is(err, memory.ErrNotFound) {
		return s, err
	}
	others := slices.DeleteFunc(e.clientWorkspaces(nil), func(s *workspaceState) bool { return s.Options.Documents })
	project := projectOf(workingFolder)
	if i := slices.IndexFunc(others, func(s *workspaceState) bool { return projectOf(s.Dir) == project }); i > 0 {
		others = others[i:]
	}
	if len(others) == 0 {
		return s, err
	}
	return others[0], nil
}

// workspaceAbove returns the name of the workspace whose folder is the nearest one upward
// from a folder; empty if there is none.
func (e *Engine) workspaceAbove(dir string) string {
	byPath := map[string]string{}
	for _, s := range e.sortedWorkspaces() {
		if s.Client == "" {
			byPath[folder.RealPath(s.Dir)] = s.Name
		}
	}
	for dir = folder.RealPath(dir); ; dir = filepath.Dir(dir) {
		if name, registered := byPath[dir]; registered || dir == filepath.Dir(dir) {
			return name
		}
	}
}

// projectOf returns the name of the project of a folder. It is the main folder of its
// repository, which all work trees share. Outside of a repository it is the folder itself.
func projectOf(dir string) string {
	if main := git.Find(dir).MainFolder(dir); main != "" {
		dir = main
	}
	return folder.RealPath(dir)
}

// clientFolders returns the folders of a client: those that the configuration lists, and its usual one.
func (e *Engine) clientFolders(c clients.Client) []string {
	o := e.options()
	dirs := slices.Clone(o.ClientDirs[c.Name])
	if o.ClientDir != nil {
		dirs = append(dirs, o.ClientDir(c))
	}
	return dirs
}
