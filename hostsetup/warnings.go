package hostsetup

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/workspace"
)

// Warnings lists what a person should know about the installation.
func (s *Setup) Warnings() (list []string) {
	for _, dir := range s.lanceDatabases() {
		list = append(list, "memory-lancedb has a database in "+dir+", which stays as it is; "+
			"to bring its memories over: memory migrate --from lancedb "+workspace.ShellQuote(dir))
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
	if d, err := parseConfig(s.Plan.Before); err == nil {
		path, _ := d.value("plugins.entries.memory-lancedb.config.dbPath").(string)
		if path != "" && !strings.Contains(path, "://") {
			dirs = append(dirs, s.Host.environment().expand(path))
		}
	}
	dirs = slices.DeleteFunc(dirs, func(dir string) bool { return !isFolder(dir) })
	return slices.Compact(dirs)
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
