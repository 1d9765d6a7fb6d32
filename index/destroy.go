package index

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// TextsToDestroy says of texts whether they are those of some memories, or copies of
// them, as [DB.Copies] understands it.
func (db *DB) TextsToDestroy(ctx context.Context, ids []memory.ID) (c ForgottenTexts, err error) {
	c.marks = map[sqlite.Hash]bool{}
	key, err := db.Meta(ctx, "forget_key")
	if err != nil {
		return c, err
	}
	if c.key, err = hex.DecodeString(key); err != nil {
		return c, err
	}
	err = db.sql.Read().Each(ctx, `SELECT m.fingerprint, m.text, coalesce(p.heading, m.last_heading)
		FROM memories m LEFT JOIN places p ON p.memory_id = m.id WHERE m.id IN (SELECT value FROM json_each(?))`,
		[]any{sqlite.JSONList(ids)}, func(scan func(...any) error) error {
			var r memoryRow
			var heading string
			err := scan(&r.Fingerprint, &r.Text, &heading)
			c.marks[markOfRow(c.key, &r, heading)] = true
			return err
		})
	return c, sqlite.Wrap("read what is to be destroyed", err)
}

// VectorKeys gives the keys of the vectors of some memories, in hexadecimal, those
// of their former texts too.
func (db *DB) VectorKeys(ctx context.Context, ids []memory.ID) (prints []string, err error) {
	err = db.sql.Read().Each(ctx, `SELECT DISTINCT lower(hex(fingerprint)) FROM chunks WHERE memory_id IN (SELECT value FROM json_each(?1))
		UNION SELECT lower(hex(fingerprint)) FROM fingerprints WHERE memory_id IN (SELECT value FROM json_each(?1))`,
		[]any{sqlite.JSONList(ids)}, func(scan func(...any) error) error {
			var print string
			err := scan(&print)
			prints = append(prints, print)
			return err
		})
	return prints, sqlite.Wrap("read what is to be destroyed", err)
}

// Destroy takes the memories that an intent is to destroy out of every table,
// and copies that have come since. What is left of them is their ids in the
// audit, and the keyed hash by which their texts stay forgotten should they come
// back. The intent stays open until [DB.Scrub] is done. saying tells whether a
// text says what one of them said: such a current context goes as well.
func (tx *Tx) Destroy(in Intent, saying func(string) bool) error {
	ids, err := tx.withCopies(in.Destroy)
	if err != nil {
		return err
	}
	if err := tx.ForgetText(ids...); err != nil {
		return err
	}
	for _, step := range []func([]memory.ID, Intent) error{tx.deleteMemories, tx.deleteCachedVectors, tx.deleteTraces} {
		if err := step(ids, in); err != nil {
			return fmt.Errorf("destroy: %w", err)
		}
	}
	if err := tx.deleteContext(saying); err != nil {
		return err
	}
	if err := tx.Audit(in.Rows...); err != nil {
		return err
	}
	at := in.At
	in.ForgetTexts, in.VectorKeys, in.Paths, in.Rows, in.TextsRemoved = nil, nil, nil, nil, true
	return tx.saveIntent(in, at)
}

// withCopies adds the copies that there are of some memories' texts.
func (tx *Tx) withCopies(ids []memory.ID) ([]memory.ID, error) {
	cs, err := tx.selectChangeSet(`SELECT b.id FROM memories a JOIN memories b ON b.fingerprint = a.fingerprint
		WHERE a.id IN (SELECT value FROM json_each(?))`, sqlite.JSONList(ids))
	if err != nil {
		return nil, err
	}
	marks, err := tx.computeMarks(cs.rows, cs.places)
	if err != nil {
		return nil, err
	}
	wanted := map[sqlite.Hash]bool{}
	for _, id := range ids {
		if m, there := marks[id]; there {
			wanted[m] = true
		}
	}
	var all []memory.ID
	for _, id := range sortedKeys(marks) {
		if wanted[marks[id]] {
			all = append(all, id)
		}
	}
	return all, nil
}

func (tx *Tx) deleteMemories(ids []memory.ID, _ Intent) error {
	for _, id := range ids {
		if err := tx.deleteMemory(id, ""); err != nil {
			return err
		}
	}
	return nil
}

// deleteCachedVectors takes the vectors that no other memory needs out of the cache.
// Those of vec0 went with their chunks: it blanks the place of what is deleted.
func (tx *Tx) deleteCachedVectors(_ []memory.ID, in Intent) error {
	return tx.sql.Exec(`DELETE FROM embeddings WHERE fingerprint IN (SELECT unhex(value) FROM json_each(?))
		AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.fingerprint = embeddings.fingerprint)`, sqlite.JSONList(in.VectorKeys))
}

// deleteTraces takes what other rows say of the memories: the words of earlier
// decisions, receipts that name them.
func (tx *Tx) deleteTraces(ids []memory.ID, _ Intent) error {
	for _, statement := range []string{
		`UPDATE memory_audit SET old = json_remove(old, '$.said'), new = json_remove(new, '$.said')
		 WHERE memory_id IN (SELECT value FROM json_each(?))`,
		`UPDATE memories SET superseded_by = NULL WHERE superseded_by IN (SELECT value FROM json_each(?))`,
		`UPDATE memories SET parent_id = NULL WHERE parent_id IN (SELECT value FROM json_each(?))`,
	} {
		if err := tx.sql.Exec(statement, sqlite.JSONList(ids)); err != nil {
			return err
		}
	}
	gone := make(map[string]bool, len(ids))
	for _, id := range ids {
		gone[string(id)] = true
	}
	var naming []string
	err := tx.sql.Each("SELECT id, body FROM receipts", nil, func(scan func(...any) error) error {
		var id, body string
		err := scan(&id, &body)
		if jsonContains(body, gone) {
			naming = append(naming, id)
		}
		return err
	})
	if err != nil {
		return err
	}
	return tx.sql.Exec("DELETE FROM receipts WHERE id IN (SELECT value FROM json_each(?))", sqlite.JSONList(naming))
}

// jsonContains says whether JSON holds one of some strings anywhere.
func jsonContains(body string, wanted map[string]bool) bool {
	var v any
	if json.Unmarshal([]byte(body), &v) != nil {
		return true // nobody knows what it holds
	}
	var within func(any) bool
	within = func(v any) bool {
		switch v := v.(type) {
		case string:
			return wanted[v]
		case []any:
			for _, x := range v {
				if within(x) {
					return true
				}
			}
		case map[string]any:
			for k, x := range v {
				if wanted[k] || within(x) {
					return true
				}
			}
		}
		return false
	}
	return within(v)
}

func (tx *Tx) deleteContext(saying func(string) bool) error {
	says := false
	err := tx.sql.Each("SELECT text FROM current_context", nil, func(scan func(...any) error) error {
		var text string
		err := scan(&text)
		says = says || saying(text)
		return err
	})
	if err != nil || !says {
		return err
	}
	return tx.sql.Exec("DELETE FROM current_context")
}

// FinishDestroy ends the intent of a destroying.
func (tx *Tx) FinishDestroy(in Intent) error {
	return tx.sql.Exec("DELETE FROM intents WHERE batch = ?", in.Batch)
}
