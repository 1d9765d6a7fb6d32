// Package hostsetup connects an installation of OpenClaw with this memory, and takes
// the connection back. It alone reads and edits the host's configuration.
package hostsetup

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/folder"
	"github.com/memory-tiered/memory/internal/glob"
)

// Installation is a state folder of OpenClaw with its configuration.
type Installation struct {
	StateDir string `json:"state_dir"`
	Config   string `json:"config"` // the file may not exist: the host has defaults
}

// Environment is what the host reads to find its own files.
type Environment struct {
	Get  func(name string) string
	Home string // the user's home folder
}

// home is the folder that the host takes for the home folder.
func (e Environment) home() string {
	return e.expand(cmp.Or(strings.TrimSpace(e.Get("OPENCLAW_HOME")), e.Home))
}

// expand resolves a path as the host does.
func (e Environment) expand(path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) {
		path = filepath.Join(e.Home, path[1:])
	}
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path
}

const configName = "openclaw.json"

// Named returns the installation that the environment names, if it does.
func Named(e Environment) (Installation, bool) {
	stateDir, config := strings.TrimSpace(e.Get("OPENCLAW_STATE_DIR")), strings.TrimSpace(e.Get("OPENCLAW_CONFIG_PATH"))
	if stateDir == "" && config == "" {
		return Installation{}, false
	}
	i := At(e.expand(cmp.Or(stateDir, filepath.Join(e.home(), ".openclaw"))))
	if config != "" {
		i.Config = e.expand(config)
	}
	return i, true
}

// At returns the installation in a state folder.
func At(stateDir string) Installation {
	return Installation{StateDir: stateDir, Config: filepath.Join(stateDir, configName)}
}

// Find lists the installations below the home folder: the host's default folder, and
// those of its profiles (.openclaw-NAME). Only folders with a configuration count. If
// there is none, Find returns the default folder if it exists.
func Find(e Environment) []Installation {
	home := e.home()
	profiles, _ := filepath.Glob(filepath.Join(glob.Escape(home), ".openclaw-*")) // the pattern is valid
	slices.Sort(profiles)
	var found []Installation
	for _, dir := range append([]string{filepath.Join(home, ".openclaw")}, profiles...) {
		if i := At(dir); isFile(i.Config) {
			found = append(found, i)
		}
	}
	if fallback := filepath.Join(home, ".openclaw"); len(found) == 0 && isFolder(fallback) {
		found = append(found, At(fallback))
	}
	return found
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// readConfig returns the bytes of a host's configuration; nil: there is none.
func readConfig(file string) ([]byte, error) {
	src, err := readFile(file)
	if err != nil {
		return nil, memory.Unavailable(err, "read the configuration of OpenClaw")
	}
	return src, nil
}

// checkWritable reports why a file cannot be replaced. It looks at the permission bits, because
// they hold for root as well.
func checkWritable(file string) error {
	file = folder.RealPath(file)
	for _, path := range []string{file, filepath.Dir(file)} {
		if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o200 == 0 {
			return &memory.Error{Kind: memory.ErrForbidden, Message: path + " is read-only",
				Hint: "make it writable, or make the changes that --preview shows yourself"}
		}
	}
	return nil
}
