package index

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/memory-tiered/memory"
)

// fewWords is how short a text may be to be forgotten under its own heading
// alone: "port 5432" means something else under another one.
const fewWords = 6

// mark is the keyed hash under which a text is forgotten, whatever memory it
// becomes. A short secret cannot be guessed from it without the database.
func mark(key []byte, r *row, heading string) hash {
	return markOf(key, r.Fingerprint, heading, len(strings.Fields(r.Text)) < fewWords)
}

func markOf(key []byte, f hash, heading string, short bool) hash {
	m := hmac.New(sha256.New, key)
	if short {
		m.Write([]byte("under " + heading + "\x00"))
	}
	m.Write(f[:])
	return hash(m.Sum(nil))
}

// marked says which of these memories have a text that is forgotten for every
// copy of it.
func (tx *Tx) marked(rows map[memory.ID]*row, places map[memory.ID]place) (map[memory.ID]bool, error) {
	var some bool
	if err := tx.sql.One("SELECT EXISTS (SELECT 1 FROM forgotten)", nil, &some); err != nil || !some {
		return nil, err
	}
	marks, err := tx.marksOf(rows, places)
	if err != nil {
		return nil, err
	}
	hexes := make([]string, 0, len(marks))
	for _, m := range marks {
		hexes = append(hexes, hex.EncodeToString(m[:]))
	}
	there := map[hash]bool{}
	err = tx.sql.Each("SELECT mark FROM forgotten WHERE mark IN (SELECT unhex(value) FROM json_each(?))",
		[]any{list(hexes)}, func(scan func(...any) error) error {
			var m hash
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

func (tx *Tx) marksOf(rows map[memory.ID]*row, places map[memory.ID]place) (map[memory.ID]hash, error) {
	key, err := tx.forgetKey()
	if err != nil {
		return nil, err
	}
	marks := make(map[memory.ID]hash, len(rows))
	for id, r := range rows {
		heading := r.LastHeading
		if at, stands := places[id]; stands {
			heading = at.Heading
		}
		marks[id] = mark(key, r, heading)
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
	return tx.markText(ids, func(w *work) error {
		marks, err := tx.marksOf(w.only(ids), w.places)
		if err != nil {
			return err
		}
		tx.remarked = true
		for _, m := range marks {
			if err := tx.sql.Exec("INSERT OR IGNORE INTO forgotten(mark, at) VALUES (?, ?)", m, toMillis(tx.Now)); err != nil {
				return err
			}
		}
		return nil
	})
}

// RestoreText takes the marks away again, also of texts that these memories had
// before. A memory whose file or entry says that it is forgotten stays so.
func (tx *Tx) RestoreText(ids ...memory.ID) error {
	return tx.markText(ids, func(w *work) error { return tx.unmark(w.only(ids), w.places) })
}

// markText takes up memories and their copies, changes marks, and resolves them.
func (tx *Tx) markText(ids []memory.ID, change func(*work) error) error {
	w, err := tx.workOn(`SELECT b.id FROM memories a JOIN memories b ON b.fingerprint = a.fingerprint
		WHERE a.id IN (SELECT value FROM json_each(?))`, list(ids))
	if err != nil {
		return err
	}
	if err := change(w); err != nil {
		return err
	}
	return w.finish()
}

// workOn takes up the memories that a query names, to change and resolve them.
func (tx *Tx) workOn(query string, args ...any) (*work, error) {
	w := &work{tx: tx, now: toMillis(tx.Now), touched: map[memory.ID]bool{}}
	if err := w.touch(query, args...); err != nil {
		return nil, err
	}
	return w, w.load(nil)
}

// finish resolves the memories at hand and writes what came out differently.
func (w *work) finish() error {
	if err := w.resolve(); err != nil {
		return err
	}
	return w.write()
}
