// Package vectors stores the vectors of chunks: the cache embeddings, the vec0
// tables that queries search, and which model made them. One model serves queries.
// While the model changes, another one is staged: its table is filled until it is
// complete and can serve. A third one may be kept: it answers while the
// serving model lacks vectors.
//
// The package writes only inside a transaction of its caller, and reports which
// memories changed.
package vectors

import (
	"errors"
	"strconv"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Model is an embedding model with its table of vectors. Without a model, the name
// is empty.
type Model struct {
	Name   string
	Dim    int
	Table  string // the vec0 table of its vectors; empty: queries compare every vector
	staged bool   // not serving yet
	Kept   bool   // see [Tx.Keep]
}

// Tables are the two tables of vectors. One belongs to the serving model. The other
// is filled while the model changes.
var Tables = [2]string{"memories_vec", "memories_vec_2"}

// metaKeys returns the keys of table meta for the serving or the staged model.
func metaKeys(staged bool) [3]string {
	if staged {
		return [3]string{"next_model", "next_dim", "next_vec0"}
	}
	return [3]string{"model", "dim", "vec0"}
}

// ReadServing reads the serving model. meta returns the value of a key of table meta.
func ReadServing(meta func(key string) (string, error)) (Model, error) { return readModel(false, meta) }

// ReadKept reads the kept model, see [Tx.Keep]. It has no table. meta returns the value
// of a key of table meta.
func ReadKept(meta func(key string) (string, error)) (m Model, err error) {
	m.Kept = true
	var dim string
	if m.Name, err = meta(metaKeptModel); err != nil {
		return m, err
	}
	if dim, err = meta(metaKeptDim); err == nil && dim != "" {
		m.Dim, err = strconv.Atoi(dim)
	}
	return m, err
}

// The keys of table meta for the kept model.
const metaKeptModel, metaKeptDim = "kept_model", "kept_dim"

// ReadStaged reads the staged model. meta returns the value of a key of table meta.
func ReadStaged(meta func(key string) (string, error)) (Model, error) { return readModel(true, meta) }

func readModel(staged bool, meta func(string) (string, error)) (m Model, err error) {
	m.staged = staged
	var dim string
	keys := metaKeys(staged)
	for i, to := range [3]*string{&m.Name, &dim, &m.Table} {
		if *to, err = meta(keys[i]); err != nil {
			return m, err
		}
	}
	if dim != "" {
		m.Dim, err = strconv.Atoi(dim)
	}
	return m, err
}

// maxDim is the largest dimension that sqlite-vec supports.
const maxDim = 8192

// Validate checks the dimension of a model. Without a name or a dimension, it returns
// no model.
func Validate(name string, dim int) (string, int, error) {
	if name == "" || dim == 0 {
		return "", 0, nil
	}
	if dim < 0 || dim > maxDim {
		return "", 0, memory.Invalid("embedding.dimensions", "vectors of %d numbers cannot be stored", dim).
			WithHint("between 1 and %d", maxDim)
	}
	return name, dim, nil
}

// Meta is the table meta inside the transaction.
type Meta interface {
	Meta(key string) (string, error)
	SetMeta(key, value string) error
}

// Tx changes models and vectors inside a transaction.
type Tx struct {
	sql    *sqlite.Tx
	meta   Meta
	models *[3]Model // the serving, the staged and the kept model; nil until they are read
	wrote  bool      // the transaction changed cached vectors
}

// Wrote reports whether the transaction changed cached vectors.
func (tx *Tx) Wrote() bool { return tx.wrote }

// In returns the vectors inside a transaction.
func In(tx *sqlite.Tx, meta Meta) *Tx { return &Tx{sql: tx, meta: meta} }

// readModels returns the serving model and the staged one. A transaction reads them
// once.
func (tx *Tx) readModels() (serving, staged Model, err error) {
	if tx.models == nil {
		if serving, err = ReadServing(tx.meta.Meta); err != nil {
			return serving, staged, err
		}
		if staged, err = ReadStaged(tx.meta.Meta); err != nil {
			return serving, staged, err
		}
		kept, err := ReadKept(tx.meta.Meta)
		if err != nil {
			return serving, staged, err
		}
		tx.models = &[3]Model{serving, staged, kept}
	}
	return tx.models[0], tx.models[1], nil
}

// modelNamed returns the serving, the staged or the kept model if it has this name, else
// the zero model.
func (tx *Tx) modelNamed(name string) (Model, error) {
	if _, _, err := tx.readModels(); err != nil {
		return Model{}, err
	}
	for _, m := range tx.models {
		if m.Name == name {
			return m, nil
		}
	}
	return Model{}, nil
}

// Keep makes a model the kept one: its cached vectors are searched when a query has a
// vector of it. It has no table, so without the index in memory every vector is compared.
// An empty name keeps none. changed is false if it is kept already.
func (tx *Tx) Keep(name string, dim int) (changed bool, err error) {
	if _, _, err := tx.readModels(); err != nil || tx.models[2].Name == name && tx.models[2].Dim == dim {
		return false, err
	}
	tx.models = nil
	return true, errors.Join(tx.meta.SetMeta(metaKeptModel, name), tx.meta.SetMeta(metaKeptDim, strconv.Itoa(dim)))
}

// saveModel writes a model to its meta keys.
func (tx *Tx) saveModel(m Model) error {
	keys := metaKeys(m.staged)
	for i, value := range [3]string{m.Name, strconv.Itoa(m.Dim), m.Table} {
		if err := tx.meta.SetMeta(keys[i], value); err != nil {
			return err
		}
	}
	tx.models = nil
	return nil
}

// Set sets the serving model and fills its table from the cache. It ends a change of
// the model. changed is false if the model already serves.
func (tx *Tx) Set(name string, dim int) (changed bool, err error) {
	m, staged, err := tx.readModels()
	if err != nil || m.Name == name && m.Dim == dim {
		return false, err
	}
	if staged.Name != "" {
		if err := tx.setStaged(Model{}); err != nil {
			return false, err
		}
	}
	if err := tx.sql.Run("UPDATE chunks SET embedded = 0 WHERE embedded"); err != nil {
		return false, err
	}
	if err := tx.setServing(Model{Name: name, Dim: dim}); err != nil {
		return false, err
	}
	return true, tx.fill(0, false)
}

// setServing makes a model the serving one, with an empty table.
func (tx *Tx) setServing(m Model) error {
	old, staged, err := tx.readModels()
	if err != nil {
		return err
	}
	if err := tx.dropTable(old.Table); err != nil {
		return err
	}
	m.staged = false
	if m.Table, err = tx.createTable(m, staged.Table); err != nil {
		return err
	}
	return tx.saveModel(m)
}

// Stage starts a change to a model, or continues it. An empty name cancels the change.
func (tx *Tx) Stage(name string, dim int) error {
	_, staged, err := tx.readModels()
	if err != nil || staged.Name == name && staged.Dim == dim {
		return err
	}
	return tx.setStaged(Model{Name: name, Dim: dim})
}

// setStaged makes a model the staged one, with an empty table. The zero model ends
// the change.
func (tx *Tx) setStaged(m Model) error {
	serving, old, err := tx.readModels()
	if err != nil {
		return err
	}
	if err := tx.dropTable(old.Table); err != nil {
		return err
	}
	m.staged = true
	if m.Table, err = tx.createTable(m, serving.Table); err != nil {
		return err
	}
	if err := tx.sql.Run("UPDATE chunks SET next = 0 WHERE next"); err != nil {
		return err
	}
	return tx.saveModel(m)
}

// Promote makes the staged model the serving one if its table is complete, and reports
// whether it did. private includes the chunks of private and forgotten memories. The
// old table stays until DropOld.
func (tx *Tx) Promote(private bool) (bool, error) {
	serving, staged, err := tx.readModels()
	if err != nil || staged.Name == "" {
		return false, err
	}
	var incomplete bool
	if err := tx.sql.One(`SELECT EXISTS (SELECT 1 FROM chunks c JOIN memories m ON m.id = c.memory_id
		WHERE c.next = 0 AND (? OR NOT `+localOnly+`))`, []any{private}, &incomplete); err != nil || incomplete {
		return false, err
	}
	if err := tx.sql.Run("UPDATE chunks SET embedded = next, next = 0 WHERE embedded <> next OR next"); err != nil {
		return false, err
	}
	staged.staged, serving.staged = false, true
	serving.Name, serving.Dim = "", 0
	if err := tx.saveModel(staged); err != nil {
		return false, err
	}
	return true, tx.saveModel(serving)
}

// DropOld drops the table of the model that served before Promote.
func (tx *Tx) DropOld() error {
	_, staged, err := tx.readModels()
	if err != nil || staged.Name != "" || staged.Table == "" {
		return err
	}
	return tx.setStaged(Model{})
}

// Drop drops all vec0 tables. Recreate must follow.
func (tx *Tx) Drop() error {
	return tx.sql.Run("DROP TABLE IF EXISTS "+Tables[0], "DROP TABLE IF EXISTS "+Tables[1])
}

// Recreate creates an empty table for the serving model, and ends a change of the
// model. Staging the model again fills its table from the cache.
func (tx *Tx) Recreate() error {
	if err := tx.setStaged(Model{}); err != nil {
		return err
	}
	serving, _, err := tx.readModels()
	if err != nil {
		return err
	}
	return tx.setServing(serving)
}
