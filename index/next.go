package index

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// StageModel begins to change the model: what [DB.PutVectors] gets of the next one
// fills a table beside the one that serves, until [DB.PromoteModel] finds it whole. No
// name: the change is given up, and what was made for it stays cached. The same
// one again goes on where it was.
func (db *DB) StageModel(ctx context.Context, name string, dim int) error {
	name, dim, err := validateModel(name, dim)
	if err != nil {
		return err
	}
	return db.Update(ctx, time.Time{}, func(tx *Tx) error {
		_, next, err := tx.readModels()
		if err != nil || next.name == name && next.dim == dim {
			return err
		}
		return tx.setStaged(model{name: name, dim: dim})
	})
}

// StagedModel says which model is being changed to, and its dimension; an empty name is
// none.
func (db *DB) StagedModel(ctx context.Context) (name string, dim int, err error) {
	m, err := db.model(ctx, true)
	return m.name, m.dim, sqlite.Wrap("read next model", err)
}

// PendingStaged gives some texts that the next model's table lacks, each once, those
// after a place in the order first; last is the place to go on from. private: those
// that must not leave this machine as well. When from 0 on there are none, the
// table is whole.
func (db *DB) PendingStaged(ctx context.Context, after int64, limit int, private bool) (out []PendingChunk, last int64, err error) {
	seen := map[sqlite.Hash]bool{}
	last = after
	err = db.sql.Read().Each(ctx, `SELECT c.id, c.fingerprint, c.text, c.speech, m.private FROM chunks c JOIN memories m ON m.id = c.memory_id
		WHERE c.id > ? AND c.next = 0 AND (? OR NOT m.private) ORDER BY c.id LIMIT ?`, []any{after, private, limit},
		func(scan func(...any) error) error {
			var f sqlite.Hash
			var c PendingChunk
			var speech int
			if err := scan(&last, &f, &c.Text, &speech, &c.Private); err != nil || seen[f] {
				return err
			}
			seen[f] = true
			c.Fingerprint, c.Text = memory.Fingerprint(f), c.Text[min(speech, len(c.Text)):]
			out = append(out, c)
			return nil
		})
	return out, last, sqlite.Wrap("read pending texts", err)
}

// StagedProgress says how many chunks the next model's table has, of how many; private
// ones count where they may be embedded.
func (db *DB) StagedProgress(ctx context.Context, private bool) (done, total int, err error) {
	err = db.sql.Read().One(ctx, `SELECT coalesce(sum(c.next), 0), count(*) FROM chunks c JOIN memories m ON m.id = c.memory_id
		WHERE ? OR NOT m.private`, []any{private}, &done, &total)
	return done, total, sqlite.Wrap("count pending texts", err)
}

// PromoteModel lets the next model serve if its table is whole, and says whether it does.
// It is quick however much there is: what served before is dropped by [DB.DropOldModel].
func (db *DB) PromoteModel(ctx context.Context, private bool) (swapped bool, err error) {
	err = db.Update(ctx, time.Time{}, func(tx *Tx) error {
		serving, next, err := tx.readModels()
		if err != nil || next.name == "" {
			return err
		}
		var lacking bool
		if err := tx.sql.One(`SELECT EXISTS (SELECT 1 FROM chunks c JOIN memories m ON m.id = c.memory_id
			WHERE c.next = 0 AND (? OR NOT m.private))`, []any{private}, &lacking); err != nil || lacking {
			return err
		}
		if err := tx.sql.Run("UPDATE chunks SET embedded = next, next = 0 WHERE embedded <> next OR next"); err != nil {
			return err
		}
		next.staged, serving.staged = false, true
		serving.name, serving.dim = "", 0 // its table is left for Settle to drop
		if err := tx.saveModel(next); err != nil {
			return err
		}
		swapped = true
		return tx.saveModel(serving)
	})
	return swapped && err == nil, err
}

// DropOldModel drops what served before the last [DB.PromoteModel], and brings what is held in
// memory after it. Queries are answered meanwhile, from the tables.
func (db *DB) DropOldModel(ctx context.Context) error {
	err := db.Update(ctx, time.Time{}, func(tx *Tx) error {
		_, next, err := tx.readModels()
		if err != nil || next.name != "" || next.table == "" {
			return err
		}
		return tx.setStaged(model{})
	})
	if err != nil {
		return err
	}
	db.lanes.follow(ctx, db)
	return nil
}
