package index

import (
	"context"
	"strconv"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// model is an embedding model that vectors are searched by, or will be. An empty
// name is none.
type model struct {
	name   string
	dim    int
	table  string // the vec0 table that holds its vectors; empty: each vector is compared
	staged bool   // it does not serve yet
}

// vecTables are the two that vectors are kept in by turns: one serves, the other
// is filled while the model is changed.
var vecTables = [2]string{"memories_vec", "memories_vec_2"}

// modelKeys are where meta holds a model: the one that serves, and the next.
func modelKeys(next bool) [3]string {
	if next {
		return [3]string{"next_model", "next_dim", "next_vec0"}
	}
	return [3]string{"model", "dim", "vec0"}
}

func parseModel(next bool, meta func(string) (string, error)) (m model, err error) {
	m.staged = next
	var dim string
	keys := modelKeys(next)
	for i, to := range [3]*string{&m.name, &dim, &m.table} {
		if *to, err = meta(keys[i]); err != nil {
			return m, err
		}
	}
	if m.table == "1" { // as the first versions noted it
		m.table = vecTables[0]
	}
	if dim != "" {
		m.dim, err = strconv.Atoi(dim)
	}
	return m, err
}

func (db *DB) model(ctx context.Context, next bool) (model, error) {
	return parseModel(next, func(key string) (string, error) { return db.Meta(ctx, key) })
}

// serving is the model whose vectors answer.
func (db *DB) serving(ctx context.Context) (model, error) {
	return db.servingModel.Get(db.sql, func() (model, error) { return db.model(ctx, false) })
}

// readModels are the one that serves and the one that will, each read once a
// transaction.
func (tx *Tx) readModels() (serving, next model, err error) {
	if tx.models == nil {
		var known [2]model
		for i := range known {
			if known[i], err = parseModel(i == 1, tx.Meta); err != nil {
				return serving, next, err
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

// modelNamed is the one that serves or the next, if it has that name; else none.
func (tx *Tx) modelNamed(name string) (model, error) {
	serving, next, err := tx.readModels()
	switch name {
	case serving.name:
		return serving, err
	case next.name:
		return next, err
	}
	return model{}, err
}

// saveModel remembers a model under its keys.
func (tx *Tx) saveModel(m model) error {
	keys := modelKeys(m.staged)
	for i, value := range [3]string{m.name, strconv.Itoa(m.dim), m.table} {
		if err := tx.SetMeta(keys[i], value); err != nil {
			return err
		}
	}
	tx.models = nil
	return nil
}

// Model says which model vectors are searched by, and their length; an empty
// name is none.
func (db *DB) Model(ctx context.Context) (name string, dim int, err error) {
	m, err := db.model(ctx, false)
	return m.name, m.dim, sqlite.Wrap("read model", err)
}

// SetModel says which model vectors are searched by from now on; an empty name
// or no dimension is none. Another model's vectors leave the search at once and
// come from what PutVectors has kept; setting the same one again does nothing.
// [DB.SetNext] changes it without a moment in which there are none.
func (db *DB) SetModel(ctx context.Context, name string, dim int) error {
	name, dim, err := validateModel(name, dim)
	if err != nil {
		return err
	}
	return db.Update(ctx, time.Time{}, func(tx *Tx) error {
		m, next, err := tx.readModels()
		if err != nil || m.name == name && m.dim == dim {
			return err
		}
		if next.name != "" {
			if err := tx.setStaged(model{}); err != nil {
				return err
			}
		}
		if err := tx.sql.Run("UPDATE chunks SET embedded = 0 WHERE embedded"); err != nil {
			return err
		}
		if err := tx.setModel(model{name: name, dim: dim}); err != nil {
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

// setModel makes a model the one that serves, with an empty table.
func (tx *Tx) setModel(m model) error {
	was, next, err := tx.readModels()
	if err != nil {
		return err
	}
	if err := tx.dropVectorTable(was.table); err != nil {
		return err
	}
	m.staged = false
	if m.table, err = tx.createVectorTable(m, next.table); err != nil {
		return err
	}
	return tx.saveModel(m)
}

// setStaged makes a model the next one, with an empty table; none: there is no next
// one any more.
func (tx *Tx) setStaged(m model) error {
	serving, was, err := tx.readModels()
	if err != nil {
		return err
	}
	if err := tx.dropVectorTable(was.table); err != nil {
		return err
	}
	m.staged = true
	if m.table, err = tx.createVectorTable(m, serving.table); err != nil {
		return err
	}
	if err := tx.sql.Run("UPDATE chunks SET next = 0 WHERE next"); err != nil {
		return err
	}
	return tx.saveModel(m)
}
