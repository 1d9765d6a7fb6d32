package registry

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/internal/folder"
)

// maxNameEnd is the length of a slug's end in the name of a workspace.
const maxNameEnd = 36

// nativeName returns a path with a base name that tells the client and the project of a
// folder. It is empty without a client.
func nativeName(client, dir string) string {
	if clients.Named(client).Name == "" {
		return ""
	}
	slug := clients.Named(client).FolderAt(dir).Slug
	return strings.TrimRight(client+"-"+strings.TrimLeft(slug[max(0, len(slug)-maxNameEnd):], "-"), "-")
}

// NativeFolders returns the folders of memories of the clients that the configuration lists.
func NativeFolders(cfg *config.Loaded) (found []clients.Folder, err error) {
	dirs, err := ClientDirs(cfg)
	for _, name := range slices.Sorted(maps.Keys(dirs)) {
		for _, dir := range dirs[name] {
			found = append(found, clients.Named(name).Folders(dir)...)
		}
	}
	return found, err
}

// ClientDirs returns the folders of the clients that the configuration lists, by client.
func ClientDirs(cfg *config.Loaded) (map[string][]string, error) {
	dirs := map[string][]string{}
	for _, row := range cfg.Native {
		name, dir, ok := strings.Cut(row, "=")
		client := clients.Named(name)
		if !ok || client.Name == "" || !filepath.IsAbs(dir) {
			return nil, cfg.Locate(memory.Invalid("native", "native: %q is not a client with its folder", row).
				WithHint("write the client and the whole path, such as claude-code=/home/me/.claude"))
		}
		dirs[client.Name] = append(dirs[client.Name], dir)
	}
	return dirs, nil
}

// NewNative returns the folders of clients that were never registered. One that a person
// removed has its database still, so it does not come back by itself.
func (r *Registry) NewNative() (found []clients.Folder, err error) {
	cfg, err := config.Load(r.File, r.Environ)
	if err != nil {
		return nil, err
	}
	all, err := NativeFolders(cfg)
	for _, f := range all {
		if _, registered := NameOf(Workspaces(cfg), f.Path); !registered && !r.hasDatabase(f.Path) {
			found = append(found, f)
		}
	}
	return found, err
}

// hasDatabase reports whether a database below the state folder is that of a folder.
func (r *Registry) hasDatabase(dir string) bool {
	id := folder.Identify(dir)
	databases, _ := filepath.Glob(filepath.Join(r.StateDir, "workspaces", "*", "tiered.db")) // a bad pattern only
	for _, path := range databases {
		if owner, known := folder.Owner(path); known && owner.Same(id) {
			return true
		}
	}
	return false
}

// FollowClients lists a client in the configuration, or without a name every one that is
// installed. So the service finds folders that it makes later. It returns those that are there.
// home is the user's home folder.
func FollowClients(file string, environ []string, home string, getenv func(string) string, name string) (found []clients.Folder, already bool, err error) {
	cfg, err := config.Load(file, environ)
	if err != nil {
		return nil, false, err
	}
	rows := slices.Clone(cfg.Native)
	for _, c := range clients.WithMemories() {
		dir := folder.RealPath(c.Dir(home, getenv))
		isListed := slices.ContainsFunc(rows, func(row string) bool { return isOf(row, c.Name) })
		if info, err := os.Stat(dir); err == nil && info.IsDir() && !isListed && (name == "" || name == c.Name) {
			rows = append(rows, c.Name+"="+dir)
		}
	}
	if already = len(rows) == len(cfg.Native); !already {
		if err = config.Set(file, "native", strings.Join(rows, ",")); err == nil {
			cfg, err = config.Load(file, environ)
		}
	}
	if err == nil {
		found, err = NativeFolders(cfg)
	}
	return slices.DeleteFunc(found, func(f clients.Folder) bool { return name != "" && f.Client != name }), already, err
}

// UnfollowClient takes a client out of the configuration.
func UnfollowClient(cfg *config.Loaded, name string) error {
	rows := slices.DeleteFunc(slices.Clone(cfg.Native), func(row string) bool { return isOf(row, name) })
	if len(rows) == 0 {
		return config.Unset(cfg.File, "native")
	}
	return config.Set(cfg.File, "native", strings.Join(rows, ","))
}

// isOf reports whether a row of the configuration is of a client.
func isOf(row, client string) bool { return strings.HasPrefix(row, client+"=") }
