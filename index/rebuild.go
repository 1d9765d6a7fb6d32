package index

import (
	"context"
	"errors"
	"time"
)

// Reset makes the derived tables anew and has every file read again; it is for
// an index that is not to be believed. What is known of memories stays, so that
// matching finds them, and so do the embeddings. Search goes on meanwhile with
// the chunks that there are: whatever is written next replaces them.
func (db *DB) Reset(ctx context.Context, now time.Time) error {
	return db.Update(ctx, now, func(tx *Tx) error {
		if err := tx.sql.Run(
			"DROP TABLE IF EXISTS temp.kept",
			`CREATE TEMP TABLE kept AS SELECT memory_id, n, text, context, parts, fingerprint, speech, speaker FROM chunks
			 WHERE memory_id IN (SELECT memory_id FROM places) ORDER BY id`,
		); err != nil {
			return err
		}
		if err := tx.recreateDerived(); err != nil {
			return err
		}
		if err := tx.sql.Run(
			`INSERT INTO chunks(memory_id, n, text, context, parts, fingerprint, speech, speaker)
			 SELECT memory_id, n, text, context, parts, fingerprint, speech, speaker FROM temp.kept ORDER BY rowid`,
			"DROP TABLE temp.kept",
		); err != nil {
			return err
		}
		if err := errors.Join(tx.indexWords(0), tx.fillVectors(0, false)); err != nil {
			return err
		}
		return tx.noteAllChanged()
	})
}

// recreateDerived drops the derived tables, makes them anew and empty, and has
// every file read again.
func (tx *Tx) recreateDerived() error {
	if err := tx.sql.Run(
		"DROP TABLE IF EXISTS memories_fts_words",
		"DROP TABLE IF EXISTS memories_fts",
		"DROP TABLE IF EXISTS "+vecTables[0],
		"DROP TABLE IF EXISTS "+vecTables[1],
		"DROP TABLE IF EXISTS chunks",
		"UPDATE memories SET chunks_hash = NULL WHERE chunks_hash IS NOT NULL",
		"UPDATE files SET hash = zeroblob(32), stamp = ''",
	); err != nil {
		return err
	}
	if _, err := tx.runScript("schema/derived.sql"); err != nil {
		return err
	}
	if err := tx.setStaged(model{}); err != nil { // begun anew by who wants it, from what is cached
		return err
	}
	m, err := tx.model()
	if err != nil {
		return err
	}
	return tx.setModel(m)
}

// noteAllChanged sends whoever keeps a copy back to the tables.
func (tx *Tx) noteAllChanged() error {
	if err := tx.beginRevision(); err != nil {
		return err
	}
	return tx.sql.Exec(`INSERT INTO changes(memory_id, revision) SELECT id, ? FROM memories WHERE true
		ON CONFLICT(memory_id) DO UPDATE SET revision = excluded.revision`, tx.revision)
}
