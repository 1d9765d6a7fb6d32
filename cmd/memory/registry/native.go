package registry

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/internal/folder"
	"github.com/memory-tiered/memory/native"
)

// maxNameEnd is the length of a slug's end in the name of a workspace.
const maxNameEnd = 36

// nativeName returns a path with a base name that tells the client and the project of a
// folder. It is empty without a client.
func nativeName(client, dir string) string {
	if client == "" {
		return ""
	}
	slug := native.Named(client).FolderAt(dir).Slug
	return strings.TrimRight(client+"-"+strings.TrimLeft(slug[max(0, len(slug)-maxNameEnd):], "-"), "-")
}

// NativeFolders returns the folders of memories of the clients that the configuration lists.
func NativeFolders(cfg *config.Loaded) (found []native.Folder, err error) {
	for _, row := range cfg.Native {
		name, dir, ok := strings.Cut(row, "=")
		client := native.Named(name)
		if !ok || client.Name == "" || !filepath.IsAbs(dir) {
			return nil, cfg.Locate(memory.Invalid("native", "native: %q is not a client with its folder", row).
				WithHint("write the client and the whole path, such as claude-code=/home/me/.claude"))
		}
		found = append(found, client.Folders(dir)...)
	}
	return found, nil
}

// NewNative returns the folders of clients that were never registered. One that a person
// removed has its database still, so it does not come back by itself.
func (r *Registry) NewNative() (found []native.Folder, err error) {
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

// FollowClients lists every installed client in the configuration, so that the service finds
// folders that its clients make later. home is the user's home folder.
func FollowClients(file string, environ []string, home string, getenv func(string) string) error {
	cfg, err := config.Load(file, environ)
	if err != nil {
		return err
	}
	listed := map[string]bool{}
	rows := append([]string(nil), cfg.Native...)
	for _, row := range rows {
		name, _, _ := strings.Cut(row, "=")
		listed[name] = true
	}
	for _, c := range native.Clients() {
		dir := RealPath(c.Dir(home, getenv))
		if info, err := os.Stat(dir); err == nil && info.IsDir() && !listed[c.Name] {
			rows = append(rows, c.Name+"="+dir)
		}
	}
	if len(rows) == len(cfg.Native) {
		return nil
	}
	return config.Set(file, "native", strings.Join(rows, ","))
}
