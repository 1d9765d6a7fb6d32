// Package native knows where the clients of agents keep their own Markdown memories. A
// client is a row of clients.json, and no code. The package only looks at folders: what is
// in them belongs to the clients.
package native

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Client is a program that runs agents and keeps memories of its own.
type Client struct {
	Name     string   `json:"name"`     // as setup names it, and as the agent of its requests
	Home     string   `json:"home"`     // its folder below the user's home folder
	Variable string   `json:"variable"` // names another folder, if it is set
	Memories []string `json:"memories"` // folders of memories below its own; * is the slug of a project
	Loads    []string `json:"loads"`    // files of such a folder that it puts before its model by itself

	TranscriptFiles []string `json:"transcripts"` // patterns of its conversations below its own folder; none: they are not read
}

//go:embed clients.json
var table []byte

// Clients returns every client that is known.
var Clients = sync.OnceValue(func() (all []Client) {
	if err := json.Unmarshal(table, &all); err != nil {
		panic("native: clients.json: " + err.Error()) // a bug that every test shows
	}
	return all
})

// Named returns the client with a name. A name that is not known has an empty client.
func Named(name string) Client {
	all := Clients()
	if i := slices.IndexFunc(all, func(c Client) bool { return c.Name == name }); i >= 0 {
		return all[i]
	}
	return Client{}
}

// Dir returns the folder of a client. home is the user's home folder, and getenv reads a
// variable of the environment.
func (c Client) Dir(home string, getenv func(string) string) string {
	return cmp.Or(getenv(c.Variable), filepath.Join(home, c.Home))
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
				found = append(found, c.Folder(path))
			}
		}
	}
	return found
}

// Folder returns what a path of one of the client's folders tells about it.
func (c Client) Folder(path string) Folder {
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
	if dir = find(string(filepath.Separator), slug); dir != "" {
		return dir, filepath.Base(dir)
	}
	return "", slug[strings.LastIndexByte(slug, '-')+1:]
}

// find returns a folder at or below dir with a slug, or "".
func find(dir, slug string) string {
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
			if found := find(below, slug); found != "" {
				return found
			}
		}
	}
	return ""
}
