package hostsetup

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/memory-tiered/memory/hostsetup/json5"
)

// Warnings lists what a person should know about the installation.
func (s *Setup) Warnings() (list []string) {
	for _, dir := range s.lanceDatabases() {
		list = append(list, "memory-lancedb has a database in "+dir+", which stays as it is; "+
			"to bring its memories over: memory migrate --from lancedb "+shellQuote(dir))
	}
	for _, c := range s.Plan.Changes {
		if old, ok := c.Before.(string); ok && strings.HasSuffix(c.Path, "slots.memory") {
			list = append(list, "the plugin "+old+" loses the memory slot; its data stays")
		}
	}
	return list
}

// lanceDatabases returns the folders with a database of the plugin memory-lancedb: the
// default one, and the one that the host's configuration names. One on a server is left
// out.
func (s *Setup) lanceDatabases() []string {
	dirs := []string{filepath.Join(s.Host.Installation.StateDir, "memory", "lancedb")}
	root, err := parseConfig(s.Plan.Before)
	if err == nil {
		dirs = append(dirs, s.Host.lancePaths(root)...)
	}
	dirs = slices.DeleteFunc(dirs, func(dir string) bool { return !isFolder(dir) })
	return slices.Compact(dirs)
}

// lancePaths returns the path in the configuration of memory-lancedb, if there is one.
func (h Host) lancePaths(root *json5.Value) []string {
	v := root.Lookup("plugins", "entries", "memory-lancedb", "config", "dbPath")
	if v == nil {
		return nil
	}
	path, ok := v.Any().(string)
	if !ok || path == "" || strings.Contains(path, "://") {
		return nil
	}
	return []string{h.environment().expand(path)}
}

// environment returns the variables with which the host runs.
func (h Host) environment() Environment {
	get := func(name string) (value string) {
		for _, variable := range h.Environ {
			if text, ok := strings.CutPrefix(variable, name+"="); ok {
				value = text
			}
		}
		return value
	}
	return Environment{Get: get, Home: get("HOME")}
}

// shellQuote quotes a path for a command that a person copies, where that is needed.
func shellQuote(path string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(`/._-~:\`, r)
	}
	if strings.IndexFunc(path, special) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
