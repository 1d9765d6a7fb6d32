package hostsetup

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/internal/secrets"
)

// FileChange is a file of a client before and after a change; nil: it does not exist.
type FileChange struct {
	Path          string
	Before, After []byte
	base          []byte // what remove brings back; nil: no file
}

// Action tells what a change does to its file.
func (f FileChange) Action() string {
	switch {
	case bytes.Equal(f.Before, f.After) && (f.Before == nil) == (f.After == nil):
		return "unchanged"
	case f.Before == nil:
		return "created"
	case f.After == nil:
		return "removed"
	}
	return "edited"
}

// Diff returns the change as a unified diff, with secrets masked.
func (f FileChange) Diff() string {
	return secrets.Mask(string(diff.Diff(f.Path, f.Before, f.Path+" (new)", f.After)))
}

// write makes the change, unless somebody changed the file meanwhile.
func (f FileChange) write() error {
	_ = atomicfile.RemoveTemporary(f.Path)
	now, err := readFile(f.Path)
	switch {
	case err != nil:
		return err
	case !bytes.Equal(now, f.Before) || (now == nil) != (f.Before == nil):
		return memory.Conflict("%s has changed meanwhile", f.Path).WithHint("try again")
	case f.After == nil:
		err = os.Remove(f.Path)
	default:
		err = replaceFile(f.Path, f.After, 0o600)
	}
	if err != nil {
		return memory.Unavailable(err, "write %s", f.Path)
	}
	return nil
}

// ClientRecord is what the setup of a client did. It is written before the files are.
type ClientRecord struct {
	Client     string       `json:"client"`
	Files      []FileRecord `json:"files"`
	Folders    []string     `json:"folders"`    // that setup made, the outer ones first
	Workspaces []string     `json:"workspaces"` // folders that setup registered
	Service    bool         `json:"service"`    // setup installed the service
	Native     bool         `json:"native"`     // setup serves the client's own memories

	dir string
}

// FileRecord is a file that a setup changed. The backup lies beside the record.
type FileRecord struct {
	Path   string `json:"path"`
	Backup string `json:"backup"` // the file without our entries; empty: there was none
	After  string `json:"after"`  // SHA-256 of what the last setup wrote
}

func clientsFolder(stateDir string) string { return filepath.Join(stateDir, "setup") }

// readClientRecord returns the record of a client. It is empty if there is none.
func readClientRecord(stateDir, client string) (*ClientRecord, error) {
	r := &ClientRecord{Client: client, dir: filepath.Join(clientsFolder(stateDir), client)}
	src, err := os.ReadFile(r.file())
	if os.IsNotExist(err) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(src, r)
	}
	if err != nil {
		return nil, memory.Unavailable(err, "read the record of the setup %s", r.file()).WithHint("delete it; remove then takes our entries out of the files")
	}
	return r, nil
}

func (r *ClientRecord) file() string { return filepath.Join(r.dir, "record.json") }

func (r *ClientRecord) write() error {
	src, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = replaceFile(r.file(), append(src, '\n'), 0o600)
	}
	if err != nil {
		return memory.Unavailable(err, "write the record of the setup")
	}
	return nil
}

// remove deletes the record and the backups.
func (r *ClientRecord) remove() error {
	err := os.RemoveAll(r.dir)
	_ = os.Remove(filepath.Dir(r.dir)) // it stays if others are set up
	return err
}

func (r *ClientRecord) of(path string) *FileRecord {
	i := slices.IndexFunc(r.Files, func(f FileRecord) bool { return f.Path == path })
	if i < 0 {
		return nil
	}
	return &r.Files[i]
}

// former returns what a file was before the setup, if nobody changed it since.
func (r *ClientRecord) former(path string, now []byte) (before []byte, ok bool) {
	f := r.of(path)
	if f == nil || f.After != hash(now) {
		return nil, false
	}
	before = r.backup(path)
	return before, f.Backup == "" || before != nil
}

// backup returns what a file was before the setup; nil: it did not exist, or is not known.
func (r *ClientRecord) backup(path string) []byte {
	f := r.of(path)
	if f == nil || f.Backup == "" {
		return nil
	}
	src, err := os.ReadFile(filepath.Join(r.dir, f.Backup))
	if err != nil {
		return nil
	}
	return src
}

// keep notes a change before it is made, with a backup.
func (r *ClientRecord) keep(f FileChange) error {
	known := r.of(f.Path)
	if known == nil {
		r.Files = append(r.Files, FileRecord{Path: f.Path})
		known = &r.Files[len(r.Files)-1]
	}
	known.Backup, known.After = "", hash(f.After)
	if f.base != nil {
		known.Backup = hash([]byte(f.Path))[:12] + "-" + filepath.Base(f.Path)
		if err := replaceFile(filepath.Join(r.dir, known.Backup), f.base, 0o600); err != nil {
			return memory.Unavailable(err, "write the backup of %s", f.Path)
		}
	}
	for dir := filepath.Dir(f.Path); !isFolder(dir) && !slices.Contains(r.Folders, dir); dir = filepath.Dir(dir) {
		r.Folders = append(r.Folders, dir)
	}
	slices.SortFunc(r.Folders, func(a, b string) int { return len(a) - len(b) })
	return r.write()
}

// removeFolders removes the folders that setup made and that are empty.
func (r *ClientRecord) removeFolders() {
	for _, dir := range slices.Backward(r.Folders) {
		_ = os.Remove(dir)
	}
}

// writeAll makes changes in their order, after it has noted each.
func (r *ClientRecord) writeAll(changes []FileChange) error {
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
