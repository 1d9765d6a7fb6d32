package index

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/vectors"
)

// Model returns the model of a role and the dimension of its vectors; the name is empty
// without one.
func (db *DB) Model(ctx context.Context, r ModelRole) (name string, dim int, err error) {
	m, err := vectors.Read(r, func(key string) (string, error) { return db.Meta(ctx, key) })
	return m.Name, m.Dim, sqldb.Wrap("read model", err)
}

// UseModel gives a model a role. An empty name or no dimension means none. It is cheap if the
// model has the role already.
//
// If it serves, the vectors of the former model leave the search at once. Cached vectors of the
// new one enter it. Those of a kept one stay in it too. Vectors of any model stay cached.
func (db *DB) UseModel(ctx context.Context, r ModelRole, name string, dim int) error {
	m, err := vectors.Validate(name, dim)
	if err != nil {
		return err
	}
	if have, haveDim, err := db.Model(ctx, r); err != nil || have == m.Name && haveDim == m.Dim {
		return err
	}
	if err := db.Update(ctx, time.Time{}, func(tx *Tx) error {
		changed, err := tx.vectors.Use(m, r)
		if err != nil || !changed || r != ServingModel {
			return err
		}
		return tx.changes.NoteAll()
	}); err != nil {
		return err
	}
	if r == KeptModel {
		db.Follow(ctx)
	}
	return nil
}

// DropVectors deletes the vectors of the serving model, so that it embeds all texts again.
func (db *DB) DropVectors(ctx context.Context, model string) error {
	return db.Update(ctx, time.Time{}, func(tx *Tx) error { return errors.Join(tx.vectors.Drop(model), tx.changes.NoteAll()) })
}

// MakeVectors lets each transaction also write the vectors of its new texts. The model of the
// maker has to be in use then, or they are pending. So they are without a maker.
func (db *DB) MakeVectors(maker *VectorMaker) { db.maker.Store(maker) }

// PutVectors caches the vectors that a model made of texts, and makes indexed texts
// searchable by them at once. Vectors have unit length and the model's dimension.
// A vector of zeros means that the model knows nothing about a text: it is cached,
// and no search finds it. Any other vector is [memory.ErrInvalid], and nothing is
// cached.
func (db *DB) PutVectors(ctx context.Context, model string, texts map[memory.Fingerprint][]float32) error {
	return db.putVectors(ctx, model, texts, false)
}

// PutPending is [DB.PutVectors] for texts that [DB.Pending] returned. It ignores a
// text that is no longer indexed, because it may have been destroyed meanwhile.
func (db *DB) PutPending(ctx context.Context, model string, texts map[memory.Fingerprint][]float32) error {
	return db.putVectors(ctx, model, texts, true)
}

func (db *DB) putVectors(ctx context.Context, model string, texts map[memory.Fingerprint][]float32, onlyIndexed bool) error {
	return db.Update(ctx, time.Time{}, func(tx *Tx) error {
		added, err := tx.vectors.Put(model, texts, onlyIndexed)
		if err != nil {
			return err
		}
		changed := make([]memory.ID, len(added))
		for i := range added {
			changed[i] = added[i].ID
		}
		tx.follow = func(ctx context.Context, revision int64) { db.FollowVectors(ctx, revision, model, added) }
		return tx.changes.Note(changed...)
	})
}
