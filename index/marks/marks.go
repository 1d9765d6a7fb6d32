// Package marks remembers which texts are forgotten in every copy, also in copies that
// come later. A mark is a keyed hash of a text. Without the key, which is in the
// database and in a file beside it, a short secret cannot be guessed from its mark.
// A text has two marks: one of its exact characters, and one of its wording, which
// copies with other case, punctuation or markup have too.
// [Redactions] also recognise texts that are hidden for other reasons.
package marks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/internal/wording"
)

// shortTextWords is the number of words below which a text is forgotten only
// under its own heading: "port 5432" means something else under another one.
const shortTextWords = 6

// isShort reports whether a text is forgotten only under its own heading.
func isShort(text string) bool { return wording.CountWords(text) < shortTextWords }

// Text identifies a text. Heading is the heading path above it, as a JSON array.
type Text struct {
	Fingerprint sqldb.Hash
	Heading     string
	Short       bool
	Wording     wording.Wording
}

// NewText returns what identifies a text.
func NewText(f sqldb.Hash, text, heading string) Text {
	return Text{Fingerprint: f, Heading: heading, Short: isShort(text), Wording: wording.Of(text)}
}

// EqualExactly reports whether two texts have the same characters, and the same heading
// if they are short.
func (t Text) EqualExactly(other Text) bool {
	return t.Fingerprint == other.Fingerprint && t.Short == other.Short && (!t.Short || t.Heading == other.Heading)
}

// Equal reports whether another text is a copy of this one. It has the same
// characters or the same wording, and the same heading if this one is short.
func (t Text) Equal(other Text) bool {
	sameWording := !t.Wording.IsEmpty() && t.Wording.Hash == other.Wording.Hash
	return t.EqualExactly(other) || sameWording && (!t.isShort() || t.Heading == other.Heading)
}

func (t Text) isShort() bool { return t.Short || t.Wording.Words < shortTextWords }

// mark returns the mark of the exact text.
func (t Text) mark(key []byte) sqldb.Hash {
	if t.Short {
		return keyedHash(key, "under "+t.Heading+"\x00", t.Fingerprint[:])
	}
	return keyedHash(key, "", t.Fingerprint[:])
}

// wordingMark returns the mark of the wording, or zeros if it is empty.
func (t Text) wordingMark(key []byte) sqldb.Hash {
	switch {
	case t.Wording.IsEmpty():
		return sqldb.Hash{}
	case t.isShort():
		return t.markUnderHeading(key)
	}
	return t.globalMark(key)
}

func (t Text) markUnderHeading(key []byte) sqldb.Hash {
	return keyedHash(key, "wording under "+t.Heading+"\x00", t.Wording.Hash[:])
}

// globalMark returns the mark of a long text's wording.
func (t Text) globalMark(key []byte) sqldb.Hash {
	return keyedHash(key, "wording\x00", t.Wording.Hash[:])
}

// allMarks returns the marks by which a text is found. A wording has one as a long and
// one as a short text: marks between the words may make a copy longer or shorter.
func (t Text) allMarks(key []byte) []sqldb.Hash {
	if t.Wording.IsEmpty() {
		return []sqldb.Hash{t.mark(key)}
	}
	return []sqldb.Hash{t.mark(key), t.globalMark(key), t.markUnderHeading(key)}
}

func keyedHash(key []byte, prefix string, of []byte) sqldb.Hash {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(prefix))
	m.Write(of)
	return sqldb.Hash(m.Sum(nil))
}

// Meta is the table meta inside the transaction.
type Meta interface {
	Meta(key string) (string, error)
	SetMeta(key, value string) error
}

// Tx reads and changes marks inside a transaction.
type Tx struct {
	sql     *sqldb.Tx
	meta    Meta
	file    string
	changed bool
	others  *elsewhere // what other machines hide; nil: not read
}

// Changed reports whether marks changed in this transaction.
func (tx *Tx) Changed() bool { return tx.changed }

// In returns the marks inside a transaction. file is the path of the file with the marks.
func In(tx *sqldb.Tx, meta Meta, file string) *Tx { return &Tx{sql: tx, meta: meta, file: file} }

// Exact returns the marks of some memories' exact texts.
func (tx *Tx) Exact(texts map[memory.ID]Text) (map[memory.ID]sqldb.Hash, error) {
	key, err := tx.key()
	if err != nil {
		return nil, err
	}
	marks := make(map[memory.ID]sqldb.Hash, len(texts))
	for id, t := range texts {
		marks[id] = t.mark(key)
	}
	return marks, nil
}

// Any reports whether any text is marked.
func (tx *Tx) Any() (found bool, err error) {
	err = tx.sql.One("SELECT EXISTS (SELECT 1 FROM forgotten) OR EXISTS (SELECT 1 FROM machine_marks WHERE state > 0)", nil, &found)
	return found, err
}

// selectMarked selects those of some marks that the table has.
const selectMarked = `WITH asked(mark) AS (SELECT unhex(value) FROM json_each(?))
	SELECT mark FROM forgotten WHERE mark IN (SELECT mark FROM asked)
	UNION ALL SELECT wording FROM forgotten WHERE wording IN (SELECT mark FROM asked)`

// Find returns which of some memories have a marked text.
func (tx *Tx) Find(texts map[memory.ID]Text) (map[memory.ID]bool, error) {
	key, err := tx.key()
	if err != nil {
		return nil, err
	}
	marks := make(map[memory.ID][]sqldb.Hash, len(texts))
	hexMarks := make([]string, 0, len(texts))
	for id, t := range texts {
		marks[id] = t.allMarks(key)
		for _, m := range marks[id] {
			hexMarks = append(hexMarks, hex.EncodeToString(m[:]))
		}
	}
	known := map[sqldb.Hash]bool{}
	err = tx.sql.Each(selectMarked, []any{sqldb.JSONList(hexMarks)}, func(scan func(...any) error) error {
		var m sqldb.Hash
		err := scan(&m)
		known[m] = true
		return err
	})
	if err != nil {
		return nil, err
	}
	e, err := tx.elsewhere()
	found := map[memory.ID]bool{}
	for id, all := range marks {
		found[id] = slices.ContainsFunc(all, func(m sqldb.Hash) bool { return known[m] }) || e.hides(texts[id], all)
	}
	return found, err
}

// Add marks a text, and reports whether one of its marks is new.
func (tx *Tx) Add(t Text, at sqldb.Millis) (added bool, err error) {
	key, err := tx.key()
	if err != nil {
		return false, err
	}
	n, err := tx.sql.Count(`INSERT INTO forgotten(mark, at, wording) VALUES (?1, max(?2, coalesce((SELECT at + 1 FROM machine_marks WHERE mark = ?1 AND machine = ''), 0)), ?3)
		ON CONFLICT(mark) DO UPDATE SET wording = excluded.wording WHERE excluded.wording IS NOT NULL AND forgotten.wording IS NULL`,
		t.mark(key), at, t.wordingMark(key))
	tx.changed = tx.changed || n > 0
	return n > 0, err
}

// Delete deletes the marks of a text and of all texts with its wording. Those that other
// machines made before do not count any more.
func (tx *Tx) Delete(t Text, at sqldb.Millis) error {
	key, err := tx.key()
	if err != nil {
		return err
	}
	e, err := tx.elsewhere()
	if err != nil {
		return err
	}
	exact, global, underHeading := t.mark(key), t.globalMark(key), t.markUnderHeading(key)
	if err := tx.noteRestored(`SELECT CAST(?1 AS BLOB) AS mark, CAST(?4 AS INTEGER) AS at UNION ALL SELECT ?2, ?4 UNION ALL SELECT ?3, ?4
		UNION ALL SELECT mark, max(at + 1, ?4) FROM forgotten WHERE mark = ?1 OR wording IN (?2, ?3)`,
		exact, global, underHeading, max(at, e.hiddenAt(t))); err != nil {
		return err
	}
	tx.changed = true
	return tx.sql.Exec("DELETE FROM forgotten WHERE mark = ? OR wording IN (?, ?)", exact, global, underHeading)
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
