package migrate

import (
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/internal/glob"
)

// journalSchema names the fields of a journal.
const journalSchema = "memory-tiered.migration.v1"

// Journal notes what a migration writes, before it writes. With it, the migration can
// be taken back to the byte. It contains no text.
type Journal struct {
	Schema  string        `json:"schema"`
	System  string        `json:"from"`
	Source  string        `json:"source"` // what was read
	Dir     string        `json:"dir"`    // the workspace's folder
	Started time.Time     `json:"started"`
	Done    bool          `json:"done"` // every file was written
	Files   []JournalFile `json:"files"`
	Folders []string      `json:"folders"` // that the migration made, outermost first

	Key      string   `json:"key"`      // of the hashes below
	Migrated []string `json:"migrated"` // keyed hashes of the memories that came over

	path string
	seen map[string]bool
}

// JournalFile is a file of a migration.
type JournalFile struct {
	Path string `json:"path"`
	Hash string `json:"sha256"` // of the bytes that were written
}

// hash returns the hash of the file's bytes.
func (f JournalFile) hash() (sum memory.Hash) {
	_, _ = hex.Decode(sum[:], []byte(f.Hash)) // a hash that cannot be read fits no file
	return sum
}

// NewJournal returns the journal of a plan. exists reports which paths the workspace has.
func NewJournal(p *Plan, system, source, dir string, now time.Time, exists func(name string) bool) (*Journal, error) {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	j := &Journal{Schema: journalSchema, System: system, Source: source, Dir: dir, Started: now.UTC(), Key: hex.EncodeToString(key)}
	for _, f := range p.Files {
		sum := sha256.Sum256(f.Text)
		j.Files = append(j.Files, JournalFile{f.Path, hex.EncodeToString(sum[:])})
		for i, c := range f.Path {
			if folder := f.Path[:i]; c == '/' && !slices.Contains(j.Folders, folder) && !exists(folder) {
				j.Folders = append(j.Folders, folder)
			}
		}
	}
	slices.Sort(j.Folders)
	for _, k := range p.keys {
		j.Migrated = append(j.Migrated, j.mark(k))
	}
	return j, nil
}

// mark returns a keyed hash. A short secret cannot be guessed from it without the key.
func (j *Journal) mark(key string) string {
	m := hmac.New(sha256.New, []byte(j.Key))
	m.Write([]byte(key))
	return hex.EncodeToString(m.Sum(nil)[:16])
}

// Brought reports whether the migration brought a memory.
func (j *Journal) Brought(key string) bool {
	if j.seen == nil {
		j.seen = make(map[string]bool, len(j.Migrated))
		for _, m := range j.Migrated {
			j.seen[m] = true
		}
	}
	return j.seen[j.mark(key)]
}

// Has reports whether a file belongs to the migration.
func (j *Journal) Has(name string) bool {
	return slices.ContainsFunc(j.Files, func(f JournalFile) bool { return f.Path == name })
}

// Save writes the journal into a folder, or over its former version. It returns when
// the disk has it.
func (j *Journal) Save(folder string) error {
	if j.path == "" {
		j.path = filepath.Join(folder, j.System+"-"+j.Started.Format("20060102T150405")+"-"+strings.ToLower(rand.Text()[:6])+".json")
	}
	src, err := json.Marshal(j)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return memory.Unavailable(err, "write the journal of the migration")
	}
	if err := atomicfile.Write(j.path, src, 0o600); err != nil {
		return memory.Unavailable(err, "write the journal of the migration")
	}
	return nil
}

// Delete deletes the journal.
func (j *Journal) Delete() error {
	if err := os.Remove(j.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return memory.Unavailable(err, "delete the journal of the migration")
	}
	atomicfile.SyncFolder(filepath.Dir(j.path))
	return nil
}

// Journals returns the journals in a folder that are about a workspace, oldest first.
// sameFolder compares two folders.
func Journals(folder, dir string, sameFolder func(a, b string) bool) (list []*Journal, err error) {
	names, err := filepath.Glob(filepath.Join(glob.Escape(folder), "*.json"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, memory.Unavailable(err, "read the journal of a migration")
		}
		j := &Journal{path: name}
		if err := json.Unmarshal(src, j); err != nil || j.Schema != journalSchema {
			return nil, memory.Conflict("%s is no journal of a migration that this version can read", name).
				WithHint("use the version of memory that wrote it, or move the file away")
		}
		if sameFolder(j.Dir, dir) {
			list = append(list, j)
		}
	}
	slices.SortStableFunc(list, func(a, b *Journal) int { return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.path, b.path)) })
	return list, nil
}
