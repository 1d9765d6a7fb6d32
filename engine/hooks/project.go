package hooks

import (
	"github.com/memory-tiered/memory/internal/folder"
	"github.com/memory-tiered/memory/internal/git"
)

// ProjectOf returns the name of the project of a folder. It is the main folder of its
// repository, which all work trees share. Outside of a repository it is the folder itself.
func ProjectOf(dir string) string {
	if main := git.Find(dir).MainFolder(dir); main != "" {
		dir = main
	}
	return folder.RealPath(dir)
}
