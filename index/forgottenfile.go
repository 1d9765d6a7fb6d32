package index

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"

	"github.com/memory-tiered/memory/index/sqlite"
)

// forgottenFile is a small file beside the database with the marks of forgotten
// texts and their key. A new database starts from it, so that texts stay forgotten
// if the database is lost. It contains no text.
type forgottenFile struct {
	Key   string   `json:"key"`
	Marks []string `json:"marks"`
}

// ForgottenFile returns the path of the file with the marks of forgotten texts, which
// belongs to the database at this path.
func ForgottenFile(database string) string { return strings.TrimSuffix(database, ".db") + ".forgotten" }

// writeForgottenFile writes the file if it differs from the database.
func (db *DB) writeForgottenFile(tx *Tx) error {
	f := forgottenFile{Marks: []string{}}
	var err error
	if f.Key, err = tx.Meta("forget_key"); err != nil {
		return err
	}
	err = tx.sql.Each("SELECT mark FROM forgotten ORDER BY mark", nil, func(scan func(...any) error) error {
		var m sqlite.Hash
		err := scan(&m)
		f.Marks = append(f.Marks, hex.EncodeToString(m[:]))
		return err
	})
	if err != nil {
		return err
	}
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	current, err := os.ReadFile(db.forgottenPath)
	if err == nil && bytes.Equal(current, text) || err != nil && len(f.Marks) == 0 {
		return nil
	}
	return sqlite.WriteFile(db.forgottenPath, text)
}

func readForgottenFile(path string) (f forgottenFile, ok bool) {
	text, err := os.ReadFile(path)
	return f, err == nil && json.Unmarshal(text, &f) == nil && len(f.Key) == 64
}

// restoreMarks copies the key and marks of the file into a new database. Without
// a readable file, it makes a new key.
func (tx *Tx) restoreMarks() error {
	f, ok := readForgottenFile(tx.db.forgottenPath)
	if !ok {
		return tx.newForgetKey()
	}
	if err := tx.SetMeta("forget_key", f.Key); err != nil {
		return err
	}
	for _, mark := range f.Marks {
		if err := tx.sql.Exec("INSERT OR IGNORE INTO forgotten(mark, at) SELECT unhex(?1), ?2 WHERE length(unhex(?1)) = 32",
			mark, max(1, sqlite.ToMillis(tx.Now))); err != nil {
			return err
		}
	}
	return nil
}

// newForgetKey makes the key of the marks.
func (tx *Tx) newForgetKey() error {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return err
	}
	return tx.SetMeta("forget_key", hex.EncodeToString(key))
}
