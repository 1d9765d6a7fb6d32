package index

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"

	"github.com/memory-tiered/memory/index/sqlite"
)

// What is forgotten outlives the database: the marks and the key that they are
// made with stand in a small file beside it as well, from which a fresh
// database begins. It holds no text.

// forgottenFile is the file.
type forgottenFile struct {
	Key   string   `json:"key"`
	Marks []string `json:"marks"`
}

func (db *DB) forgottenFilePath() string {
	return strings.TrimSuffix(db.sql.Path(), ".db") + ".forgotten"
}

// writeForgottenFile writes the file where it does not say what the database says.
func (db *DB) writeForgottenFile(tx *Tx) error {
	m := forgottenFile{Marks: []string{}}
	var err error
	if m.Key, err = tx.Meta("forget_key"); err != nil {
		return err
	}
	err = tx.sql.Each("SELECT mark FROM forgotten ORDER BY mark", nil, func(scan func(...any) error) error {
		var h sqlite.Hash
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
	there, err := os.ReadFile(db.forgottenFilePath())
	if err == nil && bytes.Equal(there, text) || err != nil && len(m.Marks) == 0 {
		return nil
	}
	return sqlite.WriteFile(db.forgottenFilePath(), text)
}

// restoreMarks gives a fresh database the marks that outlived the last one, or a
// key of its own. A file that cannot be read is one that is not there.
func (tx *Tx) restoreMarks() error {
	var m forgottenFile
	text, err := os.ReadFile(tx.db.forgottenFilePath())
	if err != nil || json.Unmarshal(text, &m) != nil || len(m.Key) != 64 {
		return tx.newForgetKey()
	}
	if err := tx.SetMeta("forget_key", m.Key); err != nil {
		return err
	}
	for _, mark := range m.Marks {
		if err := tx.sql.Exec("INSERT OR IGNORE INTO forgotten(mark, at) SELECT unhex(?1), ?2 WHERE length(unhex(?1)) = 32",
			mark, max(1, sqlite.ToMillis(tx.Now))); err != nil {
			return err
		}
	}
	return nil
}
