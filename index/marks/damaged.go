package marks

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
	"github.com/memory-tiered/memory/internal/glob"
	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// SetAside renames the file with the marks if it is damaged, and returns its new path.
// Without a file, or with one that can be read, it returns the empty string.
func SetAside(path string, now time.Time) (string, error) {
	if _, ok := readFile(path); ok {
		return "", nil
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return sqlite.SetAside(path, now)
}

// Asides lists the damaged files that were set aside, the last one last.
func Asides(path string) []string {
	found, _ := filepath.Glob(filepath.Join(glob.Escape(filepath.Dir(path)), filepath.Base(path)+sqlite.AsideInfix+"*")) // only a bad pattern fails
	slices.Sort(found)
	return found
}

// lastAside returns the damaged file that was set aside last, or the empty string.
func lastAside(path string) string {
	if all := Asides(path); len(all) > 0 {
		return all[len(all)-1]
	}
	return ""
}

var (
	damagedKey  = lazyregexp.New(`"key":"([0-9a-f]{64})"`)
	damagedMark = lazyregexp.New(`"([0-9a-f]{64})"`)
)

// readDamaged returns what can be read of a damaged file. Which wording belongs to which
// mark is not known, so that each is a mark of its own. The file is empty without a key.
func readDamaged(path string) (f file) {
	text, err := os.ReadFile(path)
	key := damagedKey.FindSubmatch(text)
	if err != nil || key == nil {
		return file{}
	}
	f.Key = string(key[1])
	for _, mark := range damagedMark.FindAllSubmatch(text, -1) {
		if m := string(mark[1]); m != f.Key {
			f.Marks = append(f.Marks, m)
		}
	}
	return f
}

// HasRestoredFile reports whether a person put a copy of the file in place of a damaged
// one. It can be read then, and differs from the database.
func (tx *Tx) HasRestoredFile() (bool, error) {
	f, ok := readFile(tx.file)
	if !ok || len(Asides(tx.file)) == 0 {
		return false, nil
	}
	current, err := tx.current()
	return f.sum() != current.Sum, err
}

// AddRestoredFile adds the marks of the file, and takes over its key. With another key,
// the marks of the database have no meaning. Those of some texts are made again.
func (tx *Tx) AddRestoredFile(at sqlite.Millis, texts map[memory.ID]Text) error {
	marked, err := tx.Find(texts)
	if err != nil {
		return err
	}
	f, _ := readFile(tx.file)
	key, err := tx.meta.Meta(KeyName)
	if err == nil && key != f.Key {
		err = errors.Join(tx.sql.Exec("DELETE FROM forgotten"), tx.sql.Exec("DELETE FROM former_texts"))
	}
	if err == nil {
		err = tx.addFile(f, at)
	}
	if err != nil {
		return err
	}
	tx.changed = true
	for _, id := range slices.Sorted(maps.Keys(marked)) {
		if !marked[id] {
			continue
		}
		if _, err := tx.Add(texts[id], at); err != nil {
			return err
		}
	}
	return nil
}
