package index

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// What is forgotten outlives the database: the marks and the key that they are
// made with stand in a small file beside it as well, from which a fresh
// database begins. It holds no text.

// mirrored is the file.
type mirrored struct {
	Key   string   `json:"key"`
	Marks []string `json:"marks"`
}

func (db *DB) mirrorPath() string { return strings.TrimSuffix(db.path, ".db") + ".forgotten" }

// mirror writes the file where it does not say what the database says.
func (db *DB) mirror(tx *Tx) error {
	m := mirrored{Marks: []string{}}
	var err error
	if m.Key, err = tx.Meta("forget_key"); err != nil {
		return err
	}
	err = tx.each("SELECT mark FROM forgotten ORDER BY mark", nil, func(scan func(...any) error) error {
		var h hash
		err := scan(&h)
		m.Marks = append(m.Marks, hex.EncodeToString(h[:]))
		return err
	})
	if err != nil {
		return err
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	there, err := os.ReadFile(db.mirrorPath())
	if err == nil && bytes.Equal(there, text) || err != nil && len(m.Marks) == 0 {
		return nil
	}
	return writeWhole(db.mirrorPath(), text)
}

// sweep takes away what a crash left of files that were being written beside the
// database. Only who owns the database writes there; what cannot be removed is
// merely in the way.
func sweep(wholes ...string) {
	for _, whole := range wholes {
		folder := filepath.Dir(whole)
		there, err := os.ReadDir(folder)
		if whole == "" || err != nil {
			continue
		}
		for _, f := range there {
			if strings.HasPrefix(f.Name(), tempPrefix(whole)) {
				_ = os.Remove(filepath.Join(folder, f.Name()))
			}
		}
	}
}

// tempPrefix begins the name under which a file is written before it is whole.
func tempPrefix(whole string) string { return "." + filepath.Base(whole) + "-" }

// writeWhole replaces a file by way of another, synced, with the mode 0600.
func writeWhole(path string, text []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), tempPrefix(path)+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// remember gives a fresh database the marks that outlived the last one, or a
// key of its own. A file that cannot be read is one that is not there.
func (tx *Tx) remember() error {
	var m mirrored
	text, err := os.ReadFile(tx.db.mirrorPath())
	if err != nil || json.Unmarshal(text, &m) != nil || len(m.Key) != 64 {
		return tx.newKey()
	}
	if err := tx.SetMeta("forget_key", m.Key); err != nil {
		return err
	}
	for _, mark := range m.Marks {
		if err := tx.exec("INSERT OR IGNORE INTO forgotten(mark, at) SELECT unhex(?1), ?2 WHERE length(unhex(?1)) = 32",
			mark, max(1, toMillis(tx.Now))); err != nil {
			return err
		}
	}
	return nil
}
