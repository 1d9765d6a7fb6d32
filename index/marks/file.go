package marks

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/internal/atomicfile"
)

// KeyName is the key of table meta with the key of the marks.
const KeyName = "forget_key"

// file is a small file beside the database with the marks and their key. A new
// database starts from it, so that texts stay forgotten if the database is lost. It
// contains no text.
type file struct {
	Key      string   `json:"key"`
	Marks    []string `json:"marks"`              // of exact texts
	Wordings []string `json:"wordings,omitempty"` // of the wordings of the same texts; an empty one: there is none

	Destroyed []string `json:"destroyed,omitempty"` // those of Marks whose texts were destroyed

	Sum string `json:"sum"` // a hash of the other fields
}

// sum returns a hash of the other fields. It differs if bits of the file have flipped.
func (f file) sum() string {
	hash := sha256.Sum256([]byte(strings.Join(slices.Concat([]string{f.Key}, f.Marks, f.Wordings, f.Destroyed), ",")))
	return hex.EncodeToString(hash[:])
}

// FilePath returns the path of the file with the marks, which belongs to the database
// at this path.
func FilePath(database string) string { return strings.TrimSuffix(database, ".db") + ".forgotten" }

// HasFile reports whether the file at a path can be read.
func HasFile(path string) bool {
	_, ok := readFile(path)
	return ok
}

func readFile(path string) (f file, ok bool) {
	text, err := os.ReadFile(path)
	return f, err == nil && json.Unmarshal(text, &f) == nil && len(f.Key) == 64 && f.Sum == f.sum()
}

// WriteChanged writes the file if marks changed in this transaction.
func (tx *Tx) WriteChanged() error {
	if !tx.changed {
		return nil
	}
	return tx.Write()
}

// Write writes the file if it differs from the database.
func (tx *Tx) Write() error {
	f, err := tx.current()
	if err != nil {
		return err
	}
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	current, err := os.ReadFile(tx.file)
	if err == nil && bytes.Equal(current, text) || err != nil && len(f.Marks) == 0 {
		return nil
	}
	return atomicfile.Write(tx.file, text, 0o600)
}

// current returns the file as it should be.
func (tx *Tx) current() (f file, err error) {
	f.Marks = []string{}
	if f.Key, err = tx.meta.Meta(KeyName); err != nil {
		return f, err
	}
	err = tx.sql.Each("SELECT mark, wording, destroyed FROM forgotten ORDER BY mark", nil, func(scan func(...any) error) error {
		var m, wording sqldb.Hash
		var destroyed bool
		err := scan(&m, &wording, &destroyed)
		if destroyed {
			f.Destroyed = append(f.Destroyed, hex.EncodeToString(m[:]))
		}
		f.Marks = append(f.Marks, hex.EncodeToString(m[:]))
		if f.Wordings = append(f.Wordings, ""); wording != (sqldb.Hash{}) {
			f.Wordings[len(f.Wordings)-1] = hex.EncodeToString(wording[:])
		}
		return err
	})
	f.Sum = f.sum()
	return f, err
}

// Restore copies the key and the marks of the file into a new database. Without the file, it
// makes a new key.
func (tx *Tx) Restore(at sqldb.Millis) error {
	f, ok := readFile(tx.file)
	if !ok {
		return tx.newKey()
	}
	return tx.addFile(f, at)
}

// addFile adds the marks of a file, and sets its key.
func (tx *Tx) addFile(f file, at sqldb.Millis) error {
	if err := tx.meta.SetMeta(KeyName, f.Key); err != nil {
		return err
	}
	for i, mark := range f.Marks {
		wording := ""
		if len(f.Wordings) == len(f.Marks) {
			wording = f.Wordings[i]
		}
		if err := tx.sql.Exec(`INSERT INTO forgotten(mark, at, wording) SELECT unhex(?1), ?2,
			CASE length(unhex(?3)) WHEN 32 THEN unhex(?3) END WHERE length(unhex(?1)) = 32 ON CONFLICT DO NOTHING`, mark, max(1, at), wording); err != nil {
			return err
		}
	}
	return tx.sql.Exec("UPDATE forgotten SET destroyed = true WHERE mark IN (SELECT unhex(value) FROM json_each(?))", sqldb.JSONList(f.Destroyed))
}

// newKey makes the key of the marks.
func (tx *Tx) newKey() error {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return err
	}
	return tx.meta.SetMeta(KeyName, hex.EncodeToString(key))
}

// IsDamaged reports whether there is a file with the marks that cannot be read.
func IsDamaged(path string) bool {
	if _, ok := readFile(path); ok {
		return false
	}
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
