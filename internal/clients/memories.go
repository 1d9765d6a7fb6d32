package clients

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// WithMemories returns every client that keeps memories of its own.
func WithMemories() (all []Client) {
	for _, c := range All() {
		if len(c.Memories) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// Dir returns the folder of a client. home is the user's home folder, and getenv reads a
// variable of the environment.
func (c Client) Dir(home string, getenv func(string) string) string {
	return cmp.Or(getenv(c.Moved), filepath.Join(home, strings.TrimPrefix(c.Folder, "~/")))
}

// Folder is a folder of memories that a client keeps.
type Folder struct {
	Client string // its name
	Path   string
	Slug   string // of the project that the memories are about; empty: they are about all projects
}

// Folders returns the folders of memories below a client's own folder, by path.
func (c Client) Folders(dir string) (found []Folder) {
	for _, pattern := range c.Memories {
		paths, _ := filepath.Glob(filepath.Join(escape(dir), filepath.FromSlash(pattern))) // only a bad pattern is an error
		for _, path := range paths {
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				found = append(found, c.FolderAt(path))
			}
		}
	}
	return found
}

// FolderAt returns what a path of one of the client's folders tells about it.
func (c Client) FolderAt(path string) Folder {
	f := Folder{Client: c.Name, Path: path}
	for _, pattern := range c.Memories {
		parts := strings.Split(pattern, "/")
		star := slices.Index(parts, "*")
		if star < 0 || parts[len(parts)-1] != filepath.Base(path) {
			continue
		}
		for range len(parts) - 1 - star {
			path = filepath.Dir(path)
		}
		f.Slug = filepath.Base(path)
	}
	return f
}

// escape returns a path as a pattern that matches this path alone.
func escape(path string) string {
	if filepath.Separator != '/' {
		return path // a pattern of Windows has no escapes
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// Slug returns the name that clients give the folder of a project. It is the path, with a
// hyphen for every character that is no letter and no digit.
func Slug(dir string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, dir)
}

// Project returns the folder that a slug stands for, if it exists, and the name of the
// project. Of several folders with the slug it is the first.
func Project(slug string) (dir, name string) {
	if dir = findSlug(string(filepath.Separator), slug); dir != "" {
		return dir, filepath.Base(dir)
	}
	return "", slug[strings.LastIndexByte(slug, '-')+1:]
}

// findSlug returns a folder at or below dir with a slug, or "".
func findSlug(dir, slug string) string {
	if Slug(dir) == slug {
		return dir
	}
	listed, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, item := range listed {
		below := filepath.Join(dir, item.Name())
		if s := Slug(below); s == slug || strings.HasPrefix(slug, s+"-") {
			if info, err := os.Stat(below); err != nil || !info.IsDir() {
				continue
			}
			if found := findSlug(below, slug); found != "" {
				return found
			}
		}
	}
	return ""
}
