package hostsetup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/internal/folder"
)

// Record is what the setup of OpenClaw or of a client did, so that it can be taken back. It is
// written before each step, so that a setup that was killed can be taken back too.
type Record struct {
	Client     string       `json:"client"`
	Files      []FileRecord `json:"files"`
	Folders    []string     `json:"folders"`    // that setup made, the outer ones first
	Workspaces []string     `json:"workspaces"` // folders that setup registered
	Service    bool         `json:"service"`    // setup installed the service
	Native     bool         `json:"native"`     // setup serves the client's own memories

	Installation Installation `json:"installation,omitzero"` // of OpenClaw
	Changes      []Change     `json:"changes,omitempty"`     // of OpenClaw's configuration
	Host         Known        `json:"host,omitzero"`         // OpenClaw as the last setup found it

	dir   string
	isNew bool // it was not written yet
}

// FileRecord is a file that a setup changed. Its texts lie beside the record.
type FileRecord struct {
	Path    string `json:"path"`
	Backup  string `json:"backup"`  // the file without our entries; empty: there was none
	Written string `json:"written"` // the file as the last setup wrote it
	After   string `json:"after"`   // SHA-256 of that
}

// Folder is where the setup of OpenClaw keeps its files, in the service's state folder.
func Folder(stateDir string) string { return filepath.Join(stateDir, "openclaw") }

// PluginDir is the folder of the installed plugin.
func PluginDir(stateDir string) string { return filepath.Join(Folder(stateDir), "plugin") }

func clientsFolder(stateDir string) string { return filepath.Join(stateDir, "setup") }

// ReadRecord returns the record of the last setup of OpenClaw; nil: there is none.
func ReadRecord(stateDir string) (*Record, error) {
	r, err := readRecord(Folder(stateDir), "openclaw")
	if err != nil || r.isNew {
		return nil, err
	}
	return r, nil
}

func readClientRecord(stateDir, client string) (*Record, error) {
	return readRecord(filepath.Join(clientsFolder(stateDir), client), client)
}

// readRecord returns the record in a folder, or a new one.
func readRecord(dir, client string) (*Record, error) {
	r := &Record{Client: client, dir: dir}
	src, err := os.ReadFile(r.file())
	if r.isNew = os.IsNotExist(err); r.isNew {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(src, r)
	}
	if err != nil {
		return nil, memory.Unavailable(err, "read the record of the setup %s", r.file()).
			WithHint("delete it, and take our entries out of the files; what they were is beside it")
	}
	return r, nil
}

func (r *Record) file() string { return filepath.Join(r.dir, "record.json") }

func (r *Record) write() error {
	src, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = replaceFile(r.file(), append(src, '\n'), 0o600)
	}
	if err != nil {
		return memory.Unavailable(err, "write the record of the setup")
	}
	return nil
}

func (r *Record) of(path string) *FileRecord {
	i := slices.IndexFunc(r.Files, func(f FileRecord) bool { return f.Path == path })
	if i < 0 {
		return nil
	}
	return &r.Files[i]
}

// backup returns what a file was before the setup, and where that is kept. Both are empty for a
// file that did not exist.
func (r *Record) backup(path string) (before []byte, kept string, err error) {
	f := r.of(path)
	if f == nil || f.Backup == "" {
		return nil, "", nil
	}
	kept = filepath.Join(r.dir, f.Backup)
	before, err = os.ReadFile(kept)
	return before, kept, err
}

// written returns what the last setup wrote into a file.
func (r *Record) written(path string) ([]byte, error) {
	f := r.of(path)
	if f == nil || f.Written == "" {
		return nil, fs.ErrNotExist
	}
	return os.ReadFile(filepath.Join(r.dir, f.Written))
}

// former returns what a file was before the setup, if nobody changed it since.
func (r *Record) former(path string, now []byte) (before []byte, ok bool) {
	if f := r.of(path); f == nil || f.After != hash(now) {
		return nil, false
	}
	before, _, err := r.backup(path)
	return before, err == nil
}

// keep notes a change before it is made, with the texts before and after it.
func (r *Record) keep(f FileChange) error {
	known := r.of(f.Path)
	if known == nil {
		r.Files = append(r.Files, FileRecord{Path: f.Path})
		known = &r.Files[len(r.Files)-1]
	}
	name := hash([]byte(f.Path))[:12] + "-" + filepath.Base(f.Path)
	known.Backup, known.Written, known.After = "", name+".written", hash(f.After)
	err := replaceFile(filepath.Join(r.dir, known.Written), f.After, 0o600)
	if f.base != nil && err == nil {
		known.Backup = name
		err = replaceFile(filepath.Join(r.dir, known.Backup), f.base, 0o600)
	}
	if err != nil {
		return memory.Unavailable(err, "write the backup of %s", f.Path)
	}
	for dir := filepath.Dir(f.Path); !isFolder(dir) && !slices.Contains(r.Folders, dir); dir = filepath.Dir(dir) {
		r.Folders = append(r.Folders, dir)
	}
	slices.SortFunc(r.Folders, func(a, b string) int { return len(a) - len(b) })
	return r.write()
}

// writeAll makes changes in their order, after it has noted each.
func (r *Record) writeAll(changes []FileChange) error {
	for _, f := range changes {
		if f.Action() == "unchanged" {
			continue
		}
		if err := errors.Join(r.keep(f), f.write()); err != nil {
			return err
		}
	}
	return nil
}

// removeFolders removes the folders that setup made and that are empty.
func (r *Record) removeFolders() {
	for _, dir := range slices.Backward(r.Folders) {
		if isFolder(dir) {
			_ = os.Remove(dir)
		}
	}
}

// installService installs the service, and notes that it was not there.
func (r *Record) installService(ctx context.Context, m Machine) error {
	installed, err := m.ServiceInstalled(ctx)
	if err == nil && !installed {
		r.Service = true
		err = r.write()
	}
	if err != nil {
		return err
	}
	return m.InstallService(ctx)
}

// uninstallService removes the service, if setup installed it.
func (r *Record) uninstallService(ctx context.Context, m Machine) error {
	if !r.Service {
		return nil
	}
	installed, err := m.ServiceInstalled(ctx)
	if err != nil || !installed {
		return err
	}
	return m.UninstallService(ctx)
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
