package vectors

import (
	"bytes"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// AddChunks notes which chunks with a larger id have a vector of the serving model.
func (tx *Tx) AddChunks(after int64) error {
	m, err := tx.servingModel()
	exist := false
	if err == nil && m.Name != "" {
		err = tx.sql.One("SELECT EXISTS (SELECT 1 FROM embeddings)", nil, &exist) // at first there are none
	}
	if err != nil || !exist {
		return err
	}
	// A subquery with one row is no join, for which PostgreSQL would read all vectors.
	return tx.sql.Exec(`UPDATE chunks SET embedded = 1 WHERE id > ? AND
		(SELECT length(e.vector) FROM embeddings e WHERE e.fingerprint = chunks.fingerprint AND e.model = ?) = ?`, after, m.Key(), m.Size())
}

// Maker makes the vectors of texts in a transaction that writes these.
type Maker struct {
	Model string
	Make  func([]PendingChunk) (map[memory.Fingerprint][]float32, error)
}

// AddTexts writes the vectors of new texts, if there is a maker and its model is in use. It
// reports whether that is the serving model.
func (tx *Tx) AddTexts(texts []PendingChunk) (haveVectors bool, err error) {
	if tx.maker == nil {
		return false, nil
	}
	m, r, err := tx.modelNamed(tx.maker.Model)
	if err != nil || m.Name == "" {
		return false, err
	}
	made, err := tx.maker.Make(texts)
	if err == nil {
		err = validateAll(made, m, m.Name)
	}
	if err != nil {
		return false, err
	}
	for _, f := range sorted(made) {
		if err := tx.write(f, m.Key(), Encode(made[f])); err != nil {
			return false, err
		}
	}
	return r == Serving, nil
}

// write caches the vector of a text by the model with a key.
func (tx *Tx) write(f memory.Fingerprint, model int64, vector []byte) error {
	return tx.sql.Exec(`INSERT INTO embeddings(fingerprint, model, vector, sum) VALUES (?, ?, ?, ?)
		ON CONFLICT(fingerprint, model) DO UPDATE SET vector = excluded.vector, sum = excluded.sum`, f[:], model, vector, Sum(vector))
}

// sorted returns the texts that have a vector, in the order of the table.
func sorted(vectors map[memory.Fingerprint][]float32) []memory.Fingerprint {
	return slices.SortedFunc(maps.Keys(vectors), func(a, b memory.Fingerprint) int { return bytes.Compare(a[:], b[:]) })
}

// NoteChunks notes again which chunks have a vector of the serving model.
func (tx *Tx) NoteChunks() error {
	return errors.Join(tx.sql.Run("UPDATE chunks SET embedded = 0 WHERE embedded = 1"), tx.AddChunks(0))
}

// DeleteUnused deletes the cached vectors of texts that no chunk has.
func (tx *Tx) DeleteUnused() error {
	return tx.sql.Exec("DELETE FROM embeddings WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.fingerprint = embeddings.fingerprint)")
}

// Drop deletes the cached vectors of the serving model, whose texts are pending then.
func (tx *Tx) Drop(model string) error {
	if err := tx.sql.Exec("DELETE FROM embeddings WHERE model = ?", Key(model)); err != nil {
		return err
	}
	return tx.sql.Run("UPDATE chunks SET embedded = 0 WHERE embedded = 1")
}

// ChunkVector is the vector of the n-th chunk of a memory, from 0.
type ChunkVector struct {
	ID     memory.ID
	N      int
	Vector []float32
}

// Put caches the vectors that a model made of texts. onlyIndexed ignores texts without a
// chunk. It returns the new vectors that queries search: those of the serving or the kept model.
func (tx *Tx) Put(model string, vectors map[memory.Fingerprint][]float32, onlyIndexed bool) (added []ChunkVector, err error) {
	m, r, err := tx.modelNamed(model)
	if err != nil {
		return nil, err
	}
	if err := validateAll(vectors, m, model); err != nil {
		return nil, err
	}
	texts := sorted(vectors)
	indexed, encoded := map[memory.Fingerprint]bool{}, make(map[memory.Fingerprint][]byte, len(vectors))
	for _, f := range texts {
		encoded[f] = Encode(vectors[f])
	}
	if err := tx.sql.Each("SELECT memory_id, n, fingerprint FROM chunks WHERE fingerprint IN (SELECT unhex(value) FROM json_each(?)) ORDER BY id", []any{hexList(texts)},
		func(scan func(...any) error) error {
			var c ChunkVector
			var f sqldb.Hash
			err := scan(&c.ID, &c.N, &f)
			indexed[memory.Fingerprint(f)], c.Vector = true, Decode(encoded[memory.Fingerprint(f)])
			added = append(added, c)
			return err
		}); err != nil {
		return nil, err
	}
	if onlyIndexed {
		texts = slices.DeleteFunc(texts, func(f memory.Fingerprint) bool { return !indexed[f] })
	}
	for _, f := range texts {
		if err := tx.write(f, Key(model), encoded[f]); err != nil {
			return nil, err
		}
	}
	switch {
	case m.Name == "":
		return nil, nil
	case r == Serving:
		err = tx.sql.Exec("UPDATE chunks SET embedded = 1 WHERE fingerprint IN (SELECT unhex(value) FROM json_each(?))", hexList(texts))
	}
	return added, err
}

// modelNamed returns the model in use that has a name, or else the zero model.
func (tx *Tx) modelNamed(name string) (Model, Role, error) {
	for _, r := range []Role{Serving, Kept} {
		if m, err := Read(r, tx.meta.Meta); err != nil || m.Name == name {
			return m, r, err
		}
	}
	return Model{}, Serving, nil
}

// hexList returns texts as [Store.Vectors] and queries with json_each take them.
func hexList(texts []memory.Fingerprint) string {
	hex := make([]string, len(texts))
	for i, f := range texts {
		hex[i] = f.String()
	}
	return sqldb.JSONList(hex)
}

func validateAll(vectors map[memory.Fingerprint][]float32, m Model, name string) error {
	for _, v := range vectors {
		if err := validate(v, m, name); err != nil {
			return err
		}
	}
	return nil
}

func validate(v []float32, m Model, name string) error {
	if len(v) == 0 || len(v) > maxDim || name == m.Name && len(v) != m.Dim {
		return memory.Invalid("embedding.dimensions", "the model %s gave a vector of %d numbers, not %d", name, len(v), m.Dim)
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	// Squared float32 norms of unit vectors differ from 1 by less than a thousandth.
	if sum != 0 && !(math.Abs(sum-1) < 1e-3) {
		return memory.Invalid("embedding.model", "the model %s gave a vector of length %g, not 1", name, math.Sqrt(sum))
	}
	return nil
}
