package config

import (
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// WorkspaceNames lists the registered workspaces, main first.
func (c *Config) WorkspaceNames() []string {
	var names []string
	for name := range c.Workspaces {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool {
		if (names[i] == "main") != (names[j] == "main") {
			return names[i] == "main"
		}
		return names[i] < names[j]
	})
	return names
}

// WorkspaceAt finds the name under which a folder is registered. Both sides are
// compared as they are: the caller resolves links.
func (c *Config) WorkspaceAt(dir string) (string, bool) {
	for _, name := range c.WorkspaceNames() {
		if filepath.Clean(c.Workspaces[name].Path) == filepath.Clean(dir) {
			return name, true
		}
	}
	return "", false
}

// FreeName makes a folder's base name into a workspace name that is not taken.
func (c *Config) FreeName(dir string) string {
	base := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '-'
	}, filepath.Base(dir))
	base = strings.Trim(base, "-_")
	if base == "" {
		base = "workspace"
	}
	base = base[:min(len(base), 50)]
	name := base
	for n := 2; ; n++ {
		if _, taken := c.Workspaces[name]; !taken {
			return name
		}
		name = base + "-" + strconv.Itoa(n)
	}
}
