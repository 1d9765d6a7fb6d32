package config

import (
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// WorkspaceNames lists the registered workspaces, main first.
func (c *Config) WorkspaceNames() []string {
	names := slices.Sorted(maps.Keys(c.Workspaces))
	if at := slices.Index(names, "main"); at > 0 {
		names = slices.Insert(slices.Delete(names, at, at+1), 0, "main")
	}
	return names
}

// FreeName derives an unused workspace name from the base name of a folder.
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

// validName matches valid names of workspaces and tokens. They are parts of paths and keys.
var validName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$`)

// CheckName returns an error for a name, such as of a workspace, that cannot be part of a path
// or a key.
func CheckName(of, name string) error {
	if !validName().MatchString(name) {
		return memory.Invalid(of, "%q is not a valid name for a %s", name, of).
			WithHint("a name has up to 63 letters, digits, - and _, and starts with a letter or digit")
	}
	return nil
}

func (w Workspace) validate(name string) error {
	if err := CheckName("workspace", name); err != nil {
		return err
	}
	key := "workspaces." + name
	if w.Path == "" {
		return memory.Invalid(key+".path", "%s.path is not set", key).WithHint("set it to the folder of the workspace")
	}
	for _, k := range WorkspaceKeys() {
		field, at := reflect.ValueOf(w).FieldByIndex(k.index), strings.Replace(k.Name, "NAME", name, 1)
		if err := k.validate(field); err != nil && !field.IsZero() {
			return memory.Invalid(at, "%s: %s", at, err)
		}
	}
	for _, g := range w.Globs {
		if g.Glob == "" {
			return memory.Invalid(key+".globs", "%s.globs: a glob has no pattern", key)
		}
		if g.Tier == "" {
			continue
		}
		if _, err := memory.ParseTier(g.Tier); err != nil {
			return memory.Invalid(key+".globs", "%s.globs: %s", key, err).WithHint("a tier is one of: hot, warm, cold, archive")
		}
	}
	return nil
}

// Zone returns the workspace's time zone; without one, the system's.
func (w Workspace) Zone() (*time.Location, error) {
	if w.Timezone == "" {
		return time.Local, nil
	}
	return time.LoadLocation(w.Timezone)
}
