package hostsetup

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/internal/folder"
)

// Record is what a setup did, so that it can be taken back. It is written before each
// step, so that a setup that was killed can be taken back too.
type Record struct {
	At           time.Time    `json:"at"`
	Installation Installation `json:"installation"`
	Backup       string       `json:"backup"` // the configuration before the first setup; empty: there was none
	Before       string       `json:"before"` // SHA-256 of the configuration before the first setup; empty: there was none
	After        string       `json:"after"`  // SHA-256 of the configuration that the last setup wrote
	Edited       bool         `json:"edited"` // others edited the configuration between two setups
	Changes      []Change     `json:"changes"`
	Workspaces   []string     `json:"workspaces"` // folders that setup registered
	Service      bool         `json:"service"`    // setup installed the service
	Host         Known        `json:"host"`       // as the last setup found it
}

// Folder is where setup keeps its files, in the service's state folder.
func Folder(stateDir string) string { return filepath.Join(stateDir, "openclaw") }

func backupFolder(stateDir string) string { return filepath.Join(Folder(stateDir), "backup") }

func recordFile(stateDir string) string { return filepath.Join(Folder(stateDir), "setup.json") }

// PluginDir is the folder of the installed plugin.
func PluginDir(stateDir string) string { return filepath.Join(Folder(stateDir), "plugin") }

// ReadRecord returns the record of the last setup; nil: there is none.
func ReadRecord(stateDir string) (*Record, error) {
	src, err := os.ReadFile(recordFile(stateDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, memory.Unavailable(err, "read the record of the setup")
	}
	r := &Record{}
	if err := json.Unmarshal(src, r); err != nil {
		return nil, memory.Unavailable(err, "the record of the setup is damaged: %s", recordFile(stateDir)).
			WithHint("the configuration before the setup is in %s", backupFolder(stateDir))
	}
	return r, nil
}

func (r *Record) write(stateDir string) error {
	src, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := replaceFile(recordFile(stateDir), append(src, '\n'), 0o600); err != nil {
		return memory.Unavailable(err, "write the record of the setup")
	}
	return nil
}

// hash returns the SHA-256 of a configuration; empty for one that does not exist.
func hash(src []byte) string {
	if src == nil {
		return ""
	}
	sum := sha256.Sum256(src)
	return hex.EncodeToString(sum[:])
}

// replaceFile writes a file in one step: readers see the old or the new one. It keeps
// the permissions of an existing file, and follows a symbolic link.
func replaceFile(file string, src []byte, mode fs.FileMode) error {
	file = folder.RealPath(file)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return atomicfile.Write(file, src, mode)
}

// Hosts finds the hosts that use a service.
type Hosts struct {
	ServiceDir string // the service's state folder
}

// HostDirs returns the state folders of the hosts. One is that of the last setup, and
// one contains the service's state folder.
func (h Hosts) HostDirs() (dirs []string) {
	if r, err := ReadRecord(h.ServiceDir); err == nil && r != nil {
		dirs = append(dirs, r.Installation.StateDir)
	}
	parent := filepath.Dir(h.ServiceDir)
	if _, err := os.Stat(filepath.Join(parent, "openclaw.json")); err == nil && !slices.Contains(dirs, parent) {
		dirs = append(dirs, parent)
	}
	return dirs
}
