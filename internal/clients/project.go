package clients

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Slugs returns the slugs under which clients may keep the memory of a folder's project. They
// are those of the folder, of the folders above it in its work tree, and of the repository's
// other work trees.
// commonDir is the folder that git keeps for all work trees; empty: there is no repository.
func Slugs(folder, top, commonDir string) (slugs []string) {
	add := func(dir string) {
		if slug := Slug(dir); !slices.Contains(slugs, slug) {
			slugs = append(slugs, slug)
		}
	}
	add(folder)
	if commonDir == "" {
		return slugs
	}
	for dir := folder; dir != top && dir != filepath.Dir(dir); {
		dir = filepath.Dir(dir)
		add(dir)
	}
	if filepath.Base(commonDir) == ".git" {
		add(filepath.Dir(commonDir))
	}
	trees, _ := filepath.Glob(filepath.Join(escape(commonDir), "worktrees", "*", "gitdir")) // a bad pattern only
	for _, file := range trees {
		if dotGit, err := os.ReadFile(file); err == nil {
			add(filepath.Dir(strings.TrimSpace(string(dotGit))))
		}
	}
	return slugs
}
