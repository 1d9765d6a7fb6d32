package index

import (
	"context"
	"strconv"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/query"
	"github.com/memory-tiered/memory/index/sqlite"
)

// model is an embedding model with its table of vectors: the serving model or the
// staged one.
type model struct {
	query.Model
	staged bool // not serving yet
}

// vecTables are the two tables of vectors. One belongs to the serving model. The
// other is filled while the model changes.
var vecTables = [2]string{query.FirstVectorTable, "memories_vec_2"}

// modelKeys returns the meta keys of the serving or the staged model.
func modelKeys(staged bool) [3]string {
	if staged {
		return [3]string{"next_model", "next_dim", "next_vec0"}
	}
	return query.ModelKeys
}

func parseModel(staged bool, meta func(string) (string, error)) (m model, err error) {
	m.staged = staged
	m.Model, err = query.ReadModel(modelKeys(staged), meta)
	return m, err
}

func (db *DB) model(ctx context.Context, staged bool) (model, error) {
	return parseModel(staged, func(key string) (string, error) { return db.Meta(ctx, key) })
}

// readModels returns the serving model and the staged one. A transaction reads them
// once.
func (tx *Tx) readModels() (serving, staged model, err error) {
	if tx.models == nil {
		var known [2]model
		for i := range known {
			if known[i], err = parseModel(i == 1, tx.Meta); err != nil {
				return serving, staged, err
			}
		}
		tx.models = &known
	}
	return tx.models[0], tx.models[1], nil
}

func (tx *Tx) model() (model, error) {
	m, _, err := tx.readModels()
	return m, err
}

// modelNamed returns the serving or the staged model if it has this name, else the
// zero model.
func (tx *Tx) modelNamed(name string) (model, error) {
	serving, staged, err := tx.readModels()
	switch name {
	case serving.Name:
		return serving, err
	case staged.Name:
		return staged, err
	}
	return model{}, err
}

// saveModel writes a model to its meta keys.
func (tx *Tx) saveModel(m model) error {
	keys := modelKeys(m.staged)
	for i, value := range [3]string{m.Name, strconv.Itoa(m.Dim), m.Table} {
		if err := tx.SetMeta(keys[i], value); err != nil {
			return err
		}
	}
	tx.models = nil
	return nil
}

// Model returns the serving model and the dimension of its vectors; the name is empty
// without one.
func (db *DB) Model(ctx context.Context) (name string, dim int, err error) {
	m, err := db.model(ctx, false)
	return m.Name, m.Dim, sqlite.Wrap("read model", err)
}

// SetModel sets the serving model. An empty name or no dimension means none. The
// vectors of the former model leave the search at once, and cached vectors of the
// new model enter it. Setting the same model again has no effect. [DB.StageModel]
// changes the model without a time in which vectors are missing.
func (db *DB) SetModel(ctx context.Context, name string, dim int) error {
	name, dim, err := validateModel(name, dim)
	if err != nil {
		return err
	}
	return db.Update(ctx, time.Time{}, func(tx *Tx) error {
		m, staged, err := tx.readModels()
		if err != nil || m.Name == name && m.Dim == dim {
			return err
		}
		if staged.Name != "" {
			if err := tx.setStaged(model{}); err != nil {
				return err
			}
		}
		if err := tx.sql.Run("UPDATE chunks SET embedded = 0 WHERE embedded"); err != nil {
			return err
		}
		if err := tx.setModel(model{Model: query.Model{Name: name, Dim: dim}}); err != nil {
			return err
		}
		if err := tx.fillVectors(0, false); err != nil {
			return err
		}
		return tx.noteAllChanged()
	})
}

func validateModel(name string, dim int) (string, int, error) {
	if name == "" || dim == 0 {
		return "", 0, nil
	}
	if dim < 0 || dim > maxDim {
		return "", 0, memory.Invalid("embedding.dimensions", "vectors of %d numbers cannot be stored", dim).
			WithHint("between 1 and %d", maxDim)
	}
	return name, dim, nil
}

// setModel makes a model the serving one, with an empty table.
func (tx *Tx) setModel(m model) error {
	old, staged, err := tx.readModels()
	if err != nil {
		return err
	}
	if err := tx.dropVectorTable(old.Table); err != nil {
		return err
	}
	m.staged = false
	if m.Table, err = tx.createVectorTable(m, staged.Table); err != nil {
		return err
	}
	return tx.saveModel(m)
}

// setStaged makes a model the staged one, with an empty table. The zero model ends
// the change.
func (tx *Tx) setStaged(m model) error {
	serving, old, err := tx.readModels()
	if err != nil {
		return err
	}
	if err := tx.dropVectorTable(old.Table); err != nil {
		return err
	}
	m.staged = true
	if m.Table, err = tx.createVectorTable(m, serving.Table); err != nil {
		return err
	}
	if err := tx.sql.Run("UPDATE chunks SET next = 0 WHERE next"); err != nil {
		return err
	}
	return tx.saveModel(m)
}
