package marks

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// A memory that is edited had other texts before. Their marks are kept with it, without the
// texts, so that forgetting and destroying cover them too.

// NoteFormer keeps the marks of a text that a memory had.
func (tx *Tx) NoteFormer(id memory.ID, t Text) error {
	key, err := tx.key()
	if err != nil {
		return err
	}
	return tx.sql.Exec("INSERT INTO former_texts(memory_id, mark, wording, fingerprint, key) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
		id, t.mark(key), t.wordingMark(key), t.Fingerprint, t.Wording.Key())
}

// AddFormer marks the texts that a memory had, except those that another memory has which
// is not forgotten.
func (tx *Tx) AddFormer(id memory.ID, at sqldb.Millis) error {
	n, err := tx.sql.Count(`INSERT INTO forgotten(mark, at, wording)
		SELECT f.mark, max(?2, coalesce((SELECT at + 1 FROM machine_marks r WHERE r.mark = f.mark AND r.machine = ''), 0)), f.wording FROM former_texts f
		WHERE f.memory_id = ?1 AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id <> ?1 AND NOT m.do_not_inject
			AND (m.fingerprint = f.fingerprint OR m.wording = nullif(f.key, 0))) ON CONFLICT DO NOTHING`, id, at)
	tx.changed = tx.changed || n > 0
	return err
}

// DeleteFormer deletes the marks of the texts that a memory had, and of all texts with
// their wordings.
func (tx *Tx) DeleteFormer(id memory.ID, at sqldb.Millis) error {
	const marked = ` FROM forgotten WHERE mark IN (SELECT mark FROM former_texts WHERE memory_id = ?1)
		OR mark IN (SELECT wording FROM former_texts WHERE memory_id = ?1)
		OR wording IN (SELECT wording FROM former_texts WHERE memory_id = ?1)`
	err := tx.noteRestored(`SELECT mark, max(at + 1, ?2) AS at`+marked+` UNION ALL SELECT mark, ?2 FROM former_texts WHERE memory_id = ?1
		UNION ALL SELECT wording, ?2 FROM former_texts WHERE memory_id = ?1`, id, at)
	if err != nil {
		return err
	}
	n, err := tx.sql.Count("DELETE"+marked, id)
	tx.changed = tx.changed || n > 0
	return err
}

// AddDestroyed notes that the marked texts which a memory has and had are destroyed. Texts
// that other memories have, which stay, are left out.
func (tx *Tx) AddDestroyed(id memory.ID, t Text, stay map[sqldb.Hash]bool) error {
	key, err := tx.key()
	if err != nil {
		return err
	}
	tx.changed = true
	if mark := t.mark(key); !stay[mark] {
		if err := tx.sql.Exec("UPDATE forgotten SET destroyed = true WHERE mark = ?", mark); err != nil {
			return err
		}
	}
	return tx.sql.Exec(`UPDATE forgotten SET destroyed = true WHERE mark IN (SELECT f.mark FROM former_texts f
		WHERE f.memory_id = ?1 AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id <> ?1 AND m.fingerprint = f.fingerprint))`, id)
}

// AnyDestroyed reports whether any text was destroyed.
func (tx *Tx) AnyDestroyed() (found bool, err error) {
	err = tx.sql.One("SELECT EXISTS (SELECT 1 FROM forgotten WHERE destroyed)", nil, &found)
	return found, err
}
