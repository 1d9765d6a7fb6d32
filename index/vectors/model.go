// Package vectors stores the vectors of texts by the model that made them, and which models
// are in use. One serves queries. Another one may be kept: it answers while the serving model
// lacks vectors.
//
// The package writes only inside a transaction of its caller.
package vectors

import (
	"errors"
	"strconv"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Model is an embedding model. Without one, the name is empty.
type Model struct {
	Name string
	Dim  int
}

// Key returns what the vectors of the model are stored by.
func (m Model) Key() int64 { return Key(m.Name) }

// Size returns the number of bytes of a stored vector.
func (m Model) Size() int { return bytesPerNumber * m.Dim }

// ZeroSum returns the checksum of a vector of zeros, which is near nothing.
func (m Model) ZeroSum() int64 { return Sum(make([]byte, m.Size())) }

// Role is what a model is used for.
type Role int

// The roles of models. Queries have a vector of the serving or the kept one.
const (
	Serving Role = iota
	Kept         // it answers while the serving one lacks vectors
)

// metaKeys are the keys of table meta for the name and the dimension of each role's model.
var metaKeys = [...][2]string{Serving: {"model", "dim"}, Kept: {"kept_model", "kept_dim"}}

// Read reads the model of a role. meta returns the value of a key of table meta.
func Read(r Role, meta func(key string) (string, error)) (m Model, err error) {
	if m.Name, err = meta(metaKeys[r][0]); err != nil || m.Name == "" {
		return m, err
	}
	dim, err := meta(metaKeys[r][1])
	if err == nil {
		m.Dim, err = strconv.Atoi(dim)
	}
	return m, err
}

// maxDim is the largest dimension that sqlite-vec supports.
const maxDim = 8192

// Validate checks the dimension of a model. Without a name or a dimension, it returns
// no model.
func Validate(name string, dim int) (Model, error) {
	if name == "" || dim == 0 {
		return Model{}, nil
	}
	if dim < 0 || dim > maxDim {
		return Model{}, memory.Invalid("embedding.dimensions", "vectors of %d numbers cannot be stored", dim).
			WithHint("between 1 and %d", maxDim)
	}
	return Model{name, dim}, nil
}

// Meta is the table meta inside the transaction.
type Meta interface {
	Meta(key string) (string, error)
	SetMeta(key, value string) error
}

// Tx changes models and vectors inside a transaction.
type Tx struct {
	sql     *sqldb.Tx
	meta    Meta
	maker   *Maker // nil: the vectors of new texts are made later
	serving *Model // nil until it is read
}

// In returns the vectors inside a transaction. The maker makes those of its new texts; nil:
// they are made later.
func In(tx *sqldb.Tx, meta Meta, maker *Maker) *Tx { return &Tx{sql: tx, meta: meta, maker: maker} }

// servingModel returns the serving model. A transaction reads it once.
func (tx *Tx) servingModel() (Model, error) {
	if tx.serving == nil {
		m, err := Read(Serving, tx.meta.Meta)
		if err != nil {
			return m, err
		}
		tx.serving = &m
	}
	return *tx.serving, nil
}

// Use gives a model a role. The zero model ends the use. The serving model's vectors are
// searched from then on. changed is false if the model has the role already.
func (tx *Tx) Use(m Model, r Role) (changed bool, err error) {
	if now, err := Read(r, tx.meta.Meta); err != nil || now == m {
		return false, err
	}
	if err := errors.Join(tx.meta.SetMeta(metaKeys[r][0], m.Name), tx.meta.SetMeta(metaKeys[r][1], strconv.Itoa(m.Dim))); err != nil || r != Serving {
		return true, err
	}
	tx.serving = nil
	return true, tx.NoteChunks()
}
