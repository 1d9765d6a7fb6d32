package clients

import (
	"path/filepath"
	"slices"
)

// Slugs returns the slugs under which clients may keep the memory of a folder's project. They
// are those of the folder, of the folders above it in its work tree, up to top, and of the
// repository's other work trees.
func Slugs(folder, top string, workTrees []string) (slugs []string) {
	add := func(dir string) {
		if slug := Slug(dir); !slices.Contains(slugs, slug) {
			slugs = append(slugs, slug)
		}
	}
	add(folder)
	for dir := folder; dir != top && dir != filepath.Dir(dir); {
		dir = filepath.Dir(dir)
		add(dir)
	}
	for _, dir := range workTrees {
		add(dir)
	}
	return slugs
}
