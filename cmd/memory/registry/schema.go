package registry

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/index"
)

// LeftOnServer returns notes about what a removed workspace leaves on a PostgreSQL server. load
// returns the configuration, which still has the workspace, and the state folder.
func LeftOnServer(load func() (*config.Loaded, string, error), environ []string, name string) []string {
	cfg, stateDir, err := load()
	if err != nil || cfg.Index.Backend != "postgres" {
		return nil
	}
	w, err := (&Registry{File: cfg.File, Environ: environ, StateDir: stateDir}).WorkspaceConfig(cfg, name)
	if err != nil {
		return nil
	}
	made, _ := os.ReadFile(index.SchemaFile(w.DBPath)) // an index that was never opened has none
	schema := cmp.Or(w.Schema, strings.TrimSpace(string(made)))
	if schema == "" {
		return nil
	}
	return []string{fmt.Sprintf("its index stays on the server, where others may use it. memory config set workspaces.NAME.schema %q gives it to the folder again; DROP SCHEMA \"%s\" CASCADE deletes it", schema, schema)}
}
