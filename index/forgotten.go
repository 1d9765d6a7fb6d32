package index

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// shortTextWords is how short a text may be to be forgotten under its own heading
// alone: "port 5432" means something else under another one.
const shortTextWords = 6

// markOfRow is the keyed hash under which a text is forgotten, whatever memory it
// becomes. A short secret cannot be guessed from it without the database.
func markOfRow(key []byte, r *memoryRow, heading string) sqlite.Hash {
	return computeMark(key, r.Fingerprint, heading, len(strings.Fields(r.Text)) < shortTextWords)
}

func computeMark(key []byte, f sqlite.Hash, heading string, short bool) sqlite.Hash {
	m := hmac.New(sha256.New, key)
	if short {
		m.Write([]byte("under " + heading + "\x00"))
	}
	m.Write(f[:])
	return sqlite.Hash(m.Sum(nil))
}

// findMarked says which of these memories have a text that is forgotten for every
// copy of it.
func (tx *Tx) findMarked(rows map[memory.ID]*memoryRow, places map[memory.ID]place) (map[memory.ID]bool, error) {
	var some bool
	if err := tx.sql.One("SELECT EXISTS (SELECT 1 FROM forgotten)", nil, &some); err != nil || !some {
		return nil, err
	}
	marks, err := tx.computeMarks(rows, places)
	if err != nil {
		return nil, err
	}
	hexes := make([]string, 0, len(marks))
	for _, m := range marks {
		hexes = append(hexes, hex.EncodeToString(m[:]))
	}
	there := map[sqlite.Hash]bool{}
	err = tx.sql.Each("SELECT mark FROM forgotten WHERE mark IN (SELECT unhex(value) FROM json_each(?))",
		[]any{sqlite.JSONList(hexes)}, func(scan func(...any) error) error {
			var m sqlite.Hash
			err := scan(&m)
			there[m] = true
			return err
		})
	found := map[memory.ID]bool{}
	for id, m := range marks {
		found[id] = there[m]
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
		heading := r.LastHeading
		if at, stands := places[id]; stands {
			heading = at.Heading
		}
		marks[id] = markOfRow(key, r, heading)
	}
	return marks, nil
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

// ForgetText marks the texts of these memories as forgotten: every copy of
// them, present or to come, is published forgotten. What the files declare is
// not its business.
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

// RestoreText takes the marks away again, also of texts that these memories had
// before. A memory whose file or entry says that it is forgotten stays so.
func (tx *Tx) RestoreText(ids ...memory.ID) error {
	return tx.updateMarked(ids, func(cs *changeSet) error { return tx.deleteMarks(cs.selectRows(ids), cs.places) })
}

// updateMarked takes up memories and their copies, changes marks, and resolves them.
func (tx *Tx) updateMarked(ids []memory.ID, change func(*changeSet) error) error {
	cs, err := tx.selectChangeSet(`SELECT b.id FROM memories a JOIN memories b ON b.fingerprint = a.fingerprint
		WHERE a.id IN (SELECT value FROM json_each(?))`, sqlite.JSONList(ids))
	if err != nil {
		return err
	}
	if err := change(cs); err != nil {
		return err
	}
	return cs.resolveAndWrite()
}

// selectChangeSet takes up the memories that a query names, to change and resolve them.
func (tx *Tx) selectChangeSet(query string, args ...any) (*changeSet, error) {
	cs := &changeSet{tx: tx, now: sqlite.ToMillis(tx.Now), touched: map[memory.ID]bool{}}
	if err := cs.touchSelected(query, args...); err != nil {
		return nil, err
	}
	return cs, cs.loadRows(nil)
}

// resolveAndWrite resolves the memories at hand and writes what came out differently.
func (cs *changeSet) resolveAndWrite() error {
	if err := cs.resolve(); err != nil {
		return err
	}
	return cs.write()
}
