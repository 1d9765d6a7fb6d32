package main

import (
	"cmp"
	"os"
	"path/filepath"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/internal/folder"
)

// stateDir returns the state folder. The program writes only there, in the workspaces, and
// for one import in the cache.
func (a *app) stateDir() (string, error) {
	for _, dir := range []string{a.stateDirFlag, a.env("MEMORY_STATE_DIR")} {
		if dir != "" {
			return filepath.Abs(dir)
		}
	}
	if dir := a.env("OPENCLAW_STATE_DIR"); dir != "" {
		return filepath.Abs(filepath.Join(dir, "memory"))
	}
	home, err := a.home()
	return filepath.Join(home, ".openclaw", "memory"), err
}

func (a *app) home() (string, error) {
	if home := a.env("HOME"); home != "" {
		return home, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", memory.Unavailable(err, "find the home folder").WithHint("name the state folder with --state-dir or MEMORY_STATE_DIR")
	}
	return home, nil
}

func socketPath(stateDir string) string { return filepath.Join(stateDir, "tiered.sock") }

// load reads the configuration, and returns it with the state folder. A file that is
// named has to exist; the default one may be missing.
func (a *app) load() (*config.Loaded, string, error) {
	file, stateDir, err := a.configFile()
	if err != nil {
		return nil, "", err
	}
	if _, err := os.Stat(file); os.IsNotExist(err) && file != defaultConfigFile(stateDir) {
		return nil, "", &memory.Error{Kind: memory.ErrNotFound, Field: "config", Message: "the configuration file " + file + " does not exist",
			Hint: "name one that exists with --config or MEMORY_CONFIG; memory config set KEY VALUE with that name creates it"}
	}
	cfg, err := config.Load(file, a.environ)
	if err == nil && !a.fileNoted {
		a.fileNoted = true
		a.notes(cfg.Notes)
	}
	return cfg, stateDir, err
}

// configFile returns the path of the configuration file, and the state folder.
func (a *app) configFile() (file, stateDir string, err error) {
	if stateDir, err = a.stateDir(); err != nil {
		return "", "", err
	}
	file = cmp.Or(a.configFlag, a.env("MEMORY_CONFIG"), defaultConfigFile(stateDir))
	return file, stateDir, nil
}

func defaultConfigFile(stateDir string) string { return filepath.Join(stateDir, "config.yaml") }

// lanceReaderFolder returns where npm installs what reads LanceDB: in the user's cache.
// It is never in the state folder, where the database itself may be. Empty: a temporary
// folder.
func lanceReaderFolder(stateDir string) string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	dir := filepath.Join(cache, "memory-tiered", "lancedb")
	if folder.Contains(folder.RealPath(stateDir), folder.RealPath(dir)) {
		return ""
	}
	return dir
}
