package index

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
	"github.com/memory-tiered/memory/index/vectors"
)

// Model returns the serving model and the dimension of its vectors; the name is empty
// without one.
func (db *DB) Model(ctx context.Context) (name string, dim int, err error) {
	return db.readModel(ctx, vectors.ReadServing)
}

func (db *DB) readModel(ctx context.Context, read func(meta func(string) (string, error)) (vectors.Model, error)) (name string, dim int, err error) {
	m, err := read(func(key string) (string, error) { return db.Meta(ctx, key) })
	return m.Name, m.Dim, sqlite.Wrap("read model", err)
}

// SetModel sets the serving model. An empty name or no dimension means none. The
// vectors of the former model leave the search at once, and cached vectors of the
// new model enter it. Setting the same model again has no effect. [DB.StageModel]
// changes the model without a time in which vectors are missing.
func (db *DB) SetModel(ctx context.Context, name string, dim int) error {
	name, dim, err := vectors.Validate(name, dim)
	if err != nil {
		return err
	}
	return db.Update(ctx, time.Time{}, func(tx *Tx) error {
		changed, err := tx.vectors.Set(name, dim)
		if err != nil || !changed {
			return err
		}
		return tx.changes.NoteAll()
	})
}

// StagedModel returns the staged model and its dimension; the name is empty without
// one.
func (db *DB) StagedModel(ctx context.Context) (name string, dim int, err error) {
	return db.readModel(ctx, vectors.ReadStaged)
}

// StageModel starts a change of the model. The vectors of the staged model, from
// [DB.PutVectors], fill a table beside that of the serving model until
// [DB.PromoteModel] finds it complete. Staging the same model again continues. An
// empty name cancels the change; the vectors made for it stay cached.
func (db *DB) StageModel(ctx context.Context, name string, dim int) error {
	name, dim, err := vectors.Validate(name, dim)
	if err != nil {
		return err
	}
	return db.Update(ctx, time.Time{}, func(tx *Tx) error { return tx.vectors.Stage(name, dim) })
}

// KeptModel returns the kept model and its dimension; the name is empty without one.
func (db *DB) KeptModel(ctx context.Context) (name string, dim int, err error) {
	return db.readModel(ctx, vectors.ReadKept)
}

// KeepModel makes a model the kept one: queries with its vectors are answered beside
// those of the serving model. It is cheap if it is kept already. An empty name keeps
// none.
func (db *DB) KeepModel(ctx context.Context, name string, dim int) error {
	name, dim, err := vectors.Validate(name, dim)
	if err != nil {
		return err
	}
	if have, haveDim, err := db.KeptModel(ctx); err != nil || have == name && haveDim == dim {
		return err
	}
	if err := db.Update(ctx, time.Time{}, func(tx *Tx) error {
		_, err := tx.vectors.Keep(name, dim)
		return err
	}); err != nil {
		return err
	}
	db.Follow(ctx)
	return nil
}

// PromoteModel makes the staged model the serving one if its table is complete, and
// reports whether it did. private includes the chunks of private and forgotten
// memories. It is fast at any size: [DB.DropOldModel] drops the old table later.
func (db *DB) PromoteModel(ctx context.Context, private bool) (promoted bool, err error) {
	err = db.Update(ctx, time.Time{}, func(tx *Tx) error {
		promoted, err = tx.vectors.Promote(private)
		return err
	})
	return promoted && err == nil, err
}

// DropOldModel drops the table of the model that served before [DB.PromoteModel],
// and updates the index in memory. Until then, queries are answered from the tables.
func (db *DB) DropOldModel(ctx context.Context) error {
	if err := db.Update(ctx, time.Time{}, func(tx *Tx) error { return tx.vectors.DropOld() }); err != nil {
		return err
	}
	db.Follow(ctx)
	return nil
}

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
