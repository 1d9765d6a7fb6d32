// Package marks remembers which texts are forgotten in every copy, also in copies that
// come later. A mark is a keyed hash of a text. Without the key, which is in the
// database and in a file beside it, a short secret cannot be guessed from its mark.
// [Redactions] also recognise texts that are hidden for other reasons.
package marks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// shortTextWords is the number of words below which a text is forgotten only
// under its own heading: "port 5432" means something else under another one.
const shortTextWords = 6

// IsShort reports whether a text is forgotten only under its own heading.
func IsShort(text string) bool { return len(strings.Fields(text)) < shortTextWords }

// Text identifies a text. Heading is the heading path above it, as a JSON array.
type Text struct {
	Fingerprint sqlite.Hash
	Heading     string
	Short       bool
}

// mark returns the mark of a text.
func (t Text) mark(key []byte) sqlite.Hash {
	m := hmac.New(sha256.New, key)
	if t.Short {
		m.Write([]byte("under " + t.Heading + "\x00"))
	}
	m.Write(t.Fingerprint[:])
	return sqlite.Hash(m.Sum(nil))
}

// Meta is the table meta inside the transaction.
type Meta interface {
	Meta(key string) (string, error)
	SetMeta(key, value string) error
}

// Tx reads and changes marks inside a transaction.
type Tx struct {
	sql     *sqlite.Tx
	meta    Meta
	file    string
	changed bool
}

// In returns the marks inside a transaction. file is the path of the file with the marks.
func In(tx *sqlite.Tx, meta Meta, file string) *Tx { return &Tx{sql: tx, meta: meta, file: file} }

// Compute returns the marks of some memories' texts.
func (tx *Tx) Compute(texts map[memory.ID]Text) (map[memory.ID]sqlite.Hash, error) {
	key, err := tx.key()
	if err != nil {
		return nil, err
	}
	marks := make(map[memory.ID]sqlite.Hash, len(texts))
	for id, t := range texts {
		marks[id] = t.mark(key)
	}
	return marks, nil
}

// Any reports whether any text is marked.
func (tx *Tx) Any() (found bool, err error) {
	err = tx.sql.One("SELECT EXISTS (SELECT 1 FROM forgotten)", nil, &found)
	return found, err
}

// Find returns which of some memories have a marked text.
func (tx *Tx) Find(texts map[memory.ID]Text) (map[memory.ID]bool, error) {
	marks, err := tx.Compute(texts)
	if err != nil {
		return nil, err
	}
	hexMarks := make([]string, 0, len(marks))
	for _, m := range marks {
		hexMarks = append(hexMarks, hex.EncodeToString(m[:]))
	}
	known := map[sqlite.Hash]bool{}
	err = tx.sql.Each("SELECT mark FROM forgotten WHERE mark IN (SELECT unhex(value) FROM json_each(?))",
		[]any{sqlite.JSONList(hexMarks)}, func(scan func(...any) error) error {
			var m sqlite.Hash
			err := scan(&m)
			known[m] = true
			return err
		})
	found := map[memory.ID]bool{}
	for id, m := range marks {
		found[id] = known[m]
	}
	return found, err
}

// Add marks a text, and reports whether its mark is new.
func (tx *Tx) Add(mark sqlite.Hash, at sqlite.Millis) (added bool, err error) {
	n, err := tx.sql.Count("INSERT OR IGNORE INTO forgotten(mark, at) VALUES (?, ?)", mark, at)
	tx.changed = tx.changed || n > 0
	return n > 0, err
}

// Delete deletes both possible marks of a text, as a short one and as a long one. The
// number of words of a memory's former text is not known.
func (tx *Tx) Delete(f sqlite.Hash, heading string) error {
	key, err := tx.key()
	if err != nil {
		return err
	}
	tx.changed = true
	for _, short := range []bool{false, true} {
		mark := Text{Fingerprint: f, Heading: heading, Short: short}.mark(key)
		err = errors.Join(err, tx.sql.Exec("DELETE FROM forgotten WHERE mark = ?", mark))
	}
	return err
}

func (tx *Tx) key() ([]byte, error) {
	text, err := tx.meta.Meta(KeyName)
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(text)
	if err != nil || len(key) == 0 {
		return nil, fmt.Errorf("the key of forgotten texts is damaged: %w", err)
	}
	return key, nil
}
