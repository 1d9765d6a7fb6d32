package index

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/query"
	"github.com/memory-tiered/memory/index/sqlite"
)

// StageModel starts a change of the model. The vectors of the staged model, from
// [DB.PutVectors], fill a table beside that of the serving model until
// [DB.PromoteModel] finds it complete. Staging the same model again continues. An
// empty name cancels the change; the vectors made for it stay cached.
func (db *DB) StageModel(ctx context.Context, name string, dim int) error {
	name, dim, err := validateModel(name, dim)
	if err != nil {
		return err
	}
	return db.Update(ctx, time.Time{}, func(tx *Tx) error {
		_, staged, err := tx.readModels()
		if err != nil || staged.Name == name && staged.Dim == dim {
			return err
		}
		return tx.setStaged(model{Model: query.Model{Name: name, Dim: dim}})
	})
}

// StagedModel returns the staged model and its dimension; the name is empty without
// one.
func (db *DB) StagedModel(ctx context.Context) (name string, dim int, err error) {
	m, err := db.model(ctx, true)
	return m.Name, m.Dim, sqlite.Wrap("read staged model", err)
}

// PendingStaged returns up to limit texts without a vector of the staged model, each
// once. It starts behind the position after, and returns the position to continue
// from. private includes the texts that must not leave this machine: those of private
// and forgotten memories. The table is
// complete when a call from position 0 returns no text.
func (db *DB) PendingStaged(ctx context.Context, after int64, limit int, private bool) (out []PendingChunk, last int64, err error) {
	seen := map[sqlite.Hash]bool{}
	last = after
	err = db.sql.Read().Each(ctx, `SELECT c.id, c.fingerprint, c.text, c.speech, m.private FROM chunks c JOIN memories m ON m.id = c.memory_id
		WHERE c.id > ? AND c.next = 0 AND (? OR NOT `+stays+`) ORDER BY c.id LIMIT ?`, []any{after, private, limit},
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

// StagedProgress returns how many chunks have a vector of the staged model, and how
// many chunks there are. private includes private chunks in both.
func (db *DB) StagedProgress(ctx context.Context, private bool) (done, total int, err error) {
	err = db.sql.Read().One(ctx, `SELECT coalesce(sum(c.next), 0), count(*) FROM chunks c JOIN memories m ON m.id = c.memory_id
		WHERE ? OR NOT `+stays, []any{private}, &done, &total)
	return done, total, sqlite.Wrap("count pending texts", err)
}

// PromoteModel makes the staged model the serving one if its table is complete, and
// reports whether it did. private includes private chunks. It is fast at any size:
// [DB.DropOldModel] drops the old table later.
func (db *DB) PromoteModel(ctx context.Context, private bool) (promoted bool, err error) {
	err = db.Update(ctx, time.Time{}, func(tx *Tx) error {
		serving, staged, err := tx.readModels()
		if err != nil || staged.Name == "" {
			return err
		}
		var incomplete bool
		if err := tx.sql.One(`SELECT EXISTS (SELECT 1 FROM chunks c JOIN memories m ON m.id = c.memory_id
			WHERE c.next = 0 AND (? OR NOT `+stays+`))`, []any{private}, &incomplete); err != nil || incomplete {
			return err
		}
		if err := tx.sql.Run("UPDATE chunks SET embedded = next, next = 0 WHERE embedded <> next OR next"); err != nil {
			return err
		}
		staged.staged, serving.staged = false, true
		serving.Name, serving.Dim = "", 0 // DropOldModel drops its table
		if err := tx.saveModel(staged); err != nil {
			return err
		}
		promoted = true
		return tx.saveModel(serving)
	})
	return promoted && err == nil, err
}

// DropOldModel drops the table of the model that served before [DB.PromoteModel],
// and updates the index in memory. Until then, queries are answered from the tables.
func (db *DB) DropOldModel(ctx context.Context) error {
	err := db.Update(ctx, time.Time{}, func(tx *Tx) error {
		_, staged, err := tx.readModels()
		if err != nil || staged.Name != "" || staged.Table == "" {
			return err
		}
		return tx.setStaged(model{})
	})
	if err != nil {
		return err
	}
	db.Follow(ctx)
	return nil
}
