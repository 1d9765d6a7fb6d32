package index

import (
	"context"
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

// markOfRow returns the mark of a memory's text: a keyed hash that identifies a
// forgotten text in every memory. Without the database, a short secret cannot be
// guessed from it.
func markOfRow(key []byte, r *memoryRow, heading string) sqlite.Hash {
	return computeMark(key, r.Fingerprint, heading, isShort(r.Text))
}

func isShort(text string) bool { return len(strings.Fields(text)) < shortTextWords }

func computeMark(key []byte, f sqlite.Hash, heading string, short bool) sqlite.Hash {
	m := hmac.New(sha256.New, key)
	if short {
		m.Write([]byte("under " + heading + "\x00"))
	}
	m.Write(f[:])
	return sqlite.Hash(m.Sum(nil))
}

// findMarked returns which of these memories have a marked text.
func (tx *Tx) findMarked(rows map[memory.ID]*memoryRow, places map[memory.ID]place) (map[memory.ID]bool, error) {
	var anyMark bool
	if err := tx.sql.One("SELECT EXISTS (SELECT 1 FROM forgotten)", nil, &anyMark); err != nil || !anyMark {
		return nil, err
	}
	marks, err := tx.computeMarks(rows, places)
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

func (tx *Tx) computeMarks(rows map[memory.ID]*memoryRow, places map[memory.ID]place) (map[memory.ID]sqlite.Hash, error) {
	key, err := tx.forgetKey()
	if err != nil {
		return nil, err
	}
	marks := make(map[memory.ID]sqlite.Hash, len(rows))
	for id, r := range rows {
		marks[id] = markOfRow(key, r, headingOf(r, places))
	}
	return marks, nil
}

// headingOf returns the heading path above a memory, or above its last place.
func headingOf(r *memoryRow, places map[memory.ID]place) string {
	if at, hasPlace := places[r.ID]; hasPlace {
		return at.Heading
	}
	return r.LastHeading
}

func (tx *Tx) forgetKey() ([]byte, error) {
	text, err := tx.Meta("forget_key")
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(text)
	if err != nil || len(key) == 0 {
		return nil, fmt.Errorf("the key of forgotten texts is damaged: %w", err)
	}
	return key, nil
}

// ForgetText marks the texts of these memories. Every present and future copy of
// them is then indexed as forgotten, whatever the files declare.
func (tx *Tx) ForgetText(ids ...memory.ID) error {
	return tx.updateMarked(ids, func(cs *changeSet) error {
		marks, err := tx.computeMarks(cs.selectRows(ids), cs.places)
		if err != nil {
			return err
		}
		tx.marksChanged = true
		for _, m := range marks {
			if err := tx.sql.Exec("INSERT OR IGNORE INTO forgotten(mark, at) VALUES (?, ?)", m, sqlite.ToMillis(tx.Now)); err != nil {
				return err
			}
		}
		return nil
	})
}

// RestoreText deletes the marks of the texts that these memories have or had. A
// memory stays forgotten if its file or an entry forgets it.
func (tx *Tx) RestoreText(ids ...memory.ID) error {
	return tx.updateMarked(ids, func(cs *changeSet) error { return tx.deleteMarks(cs.selectRows(ids), cs.places) })
}

// selectCopies is a query for memories and for all memories with the same fingerprint.
const selectCopies = `SELECT b.id FROM memories a JOIN memories b ON b.fingerprint = a.fingerprint
	WHERE a.id IN (SELECT value FROM json_each(?))`

// updateMarked loads memories with their copies, calls change, and resolves them.
func (tx *Tx) updateMarked(ids []memory.ID, change func(*changeSet) error) error {
	cs, err := tx.selectChangeSet(selectCopies, sqlite.JSONList(ids))
	if err != nil {
		return err
	}
	if err := change(cs); err != nil {
		return err
	}
	return cs.resolveAndWrite()
}

// deleteMarks deletes every mark of some memories. That includes both possible
// marks of their former texts, whose number of words is not known.
func (tx *Tx) deleteMarks(rows map[memory.ID]*memoryRow, places map[memory.ID]place) error {
	tx.marksChanged = true
	key, err := tx.forgetKey()
	if err != nil {
		return err
	}
	for _, id := range sortedKeys(rows) {
		r := rows[id]
		heading := headingOf(r, places)
		prints := []sqlite.Hash{r.Fingerprint}
		err := tx.sql.Each("SELECT fingerprint FROM fingerprints WHERE memory_id = ?", []any{id}, func(scan func(...any) error) error {
			var f sqlite.Hash
			err := scan(&f)
			prints = append(prints, f)
			return err
		})
		for _, f := range prints {
			err = errors.Join(err,
				tx.sql.Exec("DELETE FROM forgotten WHERE mark = ?", computeMark(key, f, "", false)),
				tx.sql.Exec("DELETE FROM forgotten WHERE mark = ?", computeMark(key, f, heading, true)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ForgottenTexts is a set of marked texts. It also recognises texts that are not
// indexed yet.
type ForgottenTexts struct {
	key   []byte
	marks map[sqlite.Hash]bool
}

// ForgottenTexts returns the texts that are forgotten in every copy.
func (db *DB) ForgottenTexts(ctx context.Context) (t ForgottenTexts, err error) {
	if t, err = db.newForgottenTexts(ctx); err != nil {
		return t, err
	}
	err = db.sql.Read().Each(ctx, "SELECT mark FROM forgotten", nil, func(scan func(...any) error) error {
		var m sqlite.Hash
		err := scan(&m)
		t.marks[m] = true
		return err
	})
	return t, sqlite.Wrap("read forgotten texts", err)
}

// newForgottenTexts returns an empty set with the key of this database.
func (db *DB) newForgottenTexts(ctx context.Context) (t ForgottenTexts, err error) {
	t.marks = map[sqlite.Hash]bool{}
	key, err := db.Meta(ctx, "forget_key")
	if err != nil {
		return t, err
	}
	t.key, err = hex.DecodeString(key)
	return t, err
}

// Contains reports whether a text under a heading is in the set.
func (t ForgottenTexts) Contains(f memory.Fingerprint, text string, heading []string) bool {
	return len(t.marks) > 0 && t.marks[computeMark(t.key, sqlite.Hash(f), sqlite.JSONList(heading), isShort(text))]
}
