package rows

import (
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/marks"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/vectors"
)

// Tx changes memories inside a transaction.
type Tx struct {
	Marks *marks.Tx

	sql      *sqldb.Tx
	vectors  *vectors.Tx
	now      time.Time
	revision int64 // of this transaction; 0 until it changes a memory
	resolved bool  // see HasResolved

	changedSources []*Memory // as they were and are, where a text or its protection changed
}

// In returns the memories inside a transaction at now, with the parts that write the
// marks and the vectors of their texts.
func In(tx *sqldb.Tx, m *marks.Tx, v *vectors.Tx, now time.Time) *Tx {
	return &Tx{Marks: m, sql: tx, vectors: v, now: now}
}

// Revision returns the revision of this transaction; 0: it changed no memory.
func (tx *Tx) Revision() int64 { return tx.revision }

// HasResolved reports whether the state or the text of a memory may have changed. Uses
// change neither.
func (tx *Tx) HasResolved() bool { return tx.resolved }

// Note notes the revision of this transaction for memories that it changed.
func (tx *Tx) Note(ids ...memory.ID) error {
	if len(ids) == 0 {
		return nil
	}
	if err := tx.beginRevision(); err != nil {
		return err
	}
	return tx.sql.Exec(`INSERT INTO changes(memory_id, revision) SELECT DISTINCT value, CAST(? AS INTEGER) FROM json_each(?) WHERE true
		ON CONFLICT(memory_id) DO UPDATE SET revision = excluded.revision`, tx.revision, sqldb.JSONList(ids))
}

// NoteAll notes that every memory changed, so that copies in memory are read again.
func (tx *Tx) NoteAll() error {
	if err := tx.beginRevision(); err != nil {
		return err
	}
	return tx.sql.Exec(`INSERT INTO changes(memory_id, revision) SELECT id, ? FROM memories WHERE true
		ON CONFLICT(memory_id) DO UPDATE SET revision = excluded.revision`, tx.revision)
}

// Shift moves memories whose blocks only changed their position. It notes their files, and
// not each memory. The runs of blocks of each file are in order.
func (tx *Tx) Shift(shifts []memory.Shift) error {
	for _, s := range shifts {
		if s.Blocks < 0 || s.Blocks == 0 && (s.Bytes != 0 || s.Lines != 0) {
			if err := tx.shift(s); err != nil {
				return err
			}
		}
	}
	for _, s := range slices.Backward(shifts) { // so that no run reaches the next one, before that has moved
		if s.Blocks > 0 {
			if err := tx.shift(s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (tx *Tx) shift(s memory.Shift) error {
	if err := tx.shiftPlaces(s); err != nil || s.Blocks == 0 && s.Lines == 0 {
		return err // copies in memory have no bytes
	}
	if err := tx.beginRevision(); err != nil {
		return err
	}
	return tx.sql.Exec("UPDATE files SET shifted = ? WHERE path = ?", tx.revision, s.Path)
}

// beginRevision begins the revision of this transaction, once.
func (tx *Tx) beginRevision() error {
	if tx.revision != 0 {
		return nil
	}
	if err := tx.sql.Exec(`INSERT INTO meta(key, value) VALUES ('revision', '1')
		ON CONFLICT(key) DO UPDATE SET value = CAST(CAST(meta.value AS INTEGER) + 1 AS TEXT)`); err != nil {
		return err
	}
	return tx.sql.One(`SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'revision'`, nil, &tx.revision)
}

// IDs returns the ids that a query finds.
func (tx *Tx) IDs(query string, args ...any) (ids []memory.ID, err error) {
	return sqldb.TxColumn[memory.ID](tx.sql, query, args...)
}

// Delete deletes a memory from every table. Entries about it become entries about
// heir. Without an heir they have no effect any more.
func (tx *Tx) Delete(id, heir memory.ID) error {
	if err := tx.DeleteChunks(id); err != nil {
		return err
	}
	if err := tx.sql.Exec("UPDATE entries SET about = ?1, settled = ?1 = '' WHERE about = ?2", heir, id); err != nil {
		return err
	}
	if heir != "" {
		if err := tx.sql.Exec(`INSERT INTO former_texts(memory_id, mark, wording, fingerprint, key)
			SELECT ?, mark, wording, fingerprint, key FROM former_texts WHERE memory_id = ? ON CONFLICT DO NOTHING`, heir, id); err != nil {
			return err
		}
	}
	for _, table := range []string{"DELETE FROM places WHERE memory_id = ?", "DELETE FROM uses WHERE memory_id = ?",
		"DELETE FROM reviewed WHERE ?1 IN (memory_id, other_id)", "DELETE FROM past_fingerprints WHERE memory_id = ?", "DELETE FROM former_texts WHERE memory_id = ?", "DELETE FROM past_places WHERE memory_id = ?"} {
		if err := tx.sql.Exec(table, id); err != nil {
			return err
		}
	}
	for _, table := range []string{"feedback", "edits"} {
		if err := tx.sql.Exec("DELETE FROM "+table+" WHERE memory_id = ?", id); err != nil {
			return err
		}
	}
	if err := tx.deleteMemory(id); err != nil {
		return err
	}
	tx.resolved = true
	return tx.Note(id)
}
