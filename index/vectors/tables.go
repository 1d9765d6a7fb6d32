package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// createTable creates the vec0 table of a model, and returns its name. used is the
// table of the other model. If SQLite cannot create a table, the name is empty, and
// queries compare every vector.
func (tx *Tx) createTable(m Model, used string) (string, error) {
	if m.Name == "" {
		return "", nil
	}
	table := Tables[0]
	if table == used {
		table = Tables[1]
	}
	if err := tx.dropTable(table); err != nil {
		return "", err
	}
	// vec0 never reuses the slot of a deleted vector. Blocks of 128 vectors waste fewer
	// slots than the default of 1,024, and are as fast.
	err := tx.sql.Run(fmt.Sprintf(`CREATE VIRTUAL TABLE %s USING vec0(
		embedding float[%d] distance_metric=L2, chunk_size=128)`, table, m.Dim))
	if sqlite.IsDiskFailure(err) {
		return "", err
	}
	if err != nil {
		table = ""
	}
	return table, nil
}

func (tx *Tx) dropTable(table string) error {
	if table == "" {
		return nil
	}
	return tx.sql.Run("DROP TABLE IF EXISTS " + table)
}

// AddChunks adds the cached vectors of the chunks with a larger id to the tables of
// the serving and the staged model.
func (tx *Tx) AddChunks(after int64) error {
	return errors.Join(tx.fill(after, false), tx.fill(after, true))
}

// fill adds the cached vectors of the chunks with a larger id to the table of the
// serving or the staged model.
func (tx *Tx) fill(after int64, intoStaged bool) error {
	m, staged, err := tx.readModels()
	column := "embedded"
	if intoStaged {
		m, column = staged, "next"
	}
	if err != nil || m.Name == "" {
		return err
	}
	const cached = `FROM chunks c JOIN embeddings e ON e.fingerprint = c.fingerprint AND e.model = ? WHERE length(e.vector) = ? AND c.id > ?`
	if m.Table != "" {
		if err := tx.sql.Exec(`INSERT INTO `+m.Table+`(rowid, embedding) SELECT c.id, e.vector `+cached+
			` AND e.code <> zeroblob(length(e.code)) ORDER BY c.id`, m.Name, 4*m.Dim, after); err != nil {
			return err
		}
	}
	return tx.sql.Exec(`UPDATE chunks SET `+column+` = 1 WHERE id IN (SELECT c.id `+cached+`)`, m.Name, 4*m.Dim, after)
}

// DeleteUnused deletes the cached vectors of texts that no chunk has.
func (tx *Tx) DeleteUnused() error {
	tx.wrote = true
	return tx.sql.Exec("DELETE FROM embeddings WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.fingerprint = embeddings.fingerprint)")
}

// DeleteChunks deletes the vectors of the chunks whose ids a query returns from both
// tables. It deletes them one by one: vec0 scans all vectors for any condition but a
// single rowid.
func (tx *Tx) DeleteChunks(query string, args ...any) error {
	serving, staged, err := tx.readModels()
	if err != nil {
		return err
	}
	for _, m := range [2]Model{serving, staged} {
		if m.Table == "" {
			continue
		}
		if err := tx.deleteFrom(m.Table, query, args...); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) deleteFrom(table, query string, args ...any) error {
	var chunks []int64
	err := tx.sql.Each(query, args, func(scan func(...any) error) error {
		var chunk int64
		err := scan(&chunk)
		chunks = append(chunks, chunk)
		return err
	})
	for _, chunk := range chunks {
		if err == nil {
			err = tx.sql.Exec("DELETE FROM "+table+" WHERE rowid = ?", chunk)
		}
	}
	return err
}

// Put caches the vectors that a model made of texts, and adds them to the model's
// table. onlyIndexed ignores texts without a chunk. It returns the new vectors that
// queries search: those of the serving or the kept model.
func (tx *Tx) Put(model string, vectors map[memory.Fingerprint][]float32, onlyIndexed bool) (added []ChunkVector, err error) {
	m, err := tx.modelNamed(model)
	if err != nil {
		return nil, err
	}
	for _, v := range vectors {
		if err := validate(v, m, model); err != nil {
			return nil, err
		}
	}
	chunks, err := tx.chunksWith(slices.Collect(maps.Keys(vectors)), m.staged)
	if err != nil {
		return nil, err
	}
	if onlyIndexed {
		vectors = indexedOnly(vectors, chunks)
	}
	tx.wrote = true
	for _, f := range slices.SortedFunc(maps.Keys(vectors), func(a, b memory.Fingerprint) int { return bytes.Compare(a[:], b[:]) }) {
		if err := tx.sql.Exec(`INSERT INTO embeddings(fingerprint, model, vector, code) VALUES (?, ?, ?, ?)
			ON CONFLICT(fingerprint, model) DO UPDATE SET vector = excluded.vector, code = excluded.code`,
			f[:], model, Encode(vectors[f]), SignBits(vectors[f])); err != nil {
			return nil, err
		}
	}
	if m.Name == "" {
		return nil, nil
	}
	if !m.Kept {
		if err := tx.addVectors(chunks, vectors, m); err != nil {
			return nil, err
		}
	}
	for _, c := range chunks {
		if !m.staged { // no query reads the staged table
			added = append(added, ChunkVector{c.memory, c.n, vectors[c.text]})
		}
	}
	return added, nil
}

// ChunkVector is the vector of the n-th chunk of a memory, from 0.
type ChunkVector struct {
	ID     memory.ID
	N      int
	Vector []float32
}

// textChunk is a chunk of a text that gets a vector.
type textChunk struct {
	id        int64
	memory    memory.ID
	n         int
	text      memory.Fingerprint
	hasVector bool // perhaps
}

// chunksWith returns the chunks of some texts, in the order of their rows.
func (tx *Tx) chunksWith(texts []memory.Fingerprint, staged bool) (chunks []textChunk, err error) {
	err = tx.sql.Each(`SELECT id, memory_id, n, fingerprint, topic <> '' OR CASE WHEN ? THEN next ELSE embedded END FROM chunks
		WHERE fingerprint IN (SELECT unhex(value) FROM json_each(?)) ORDER BY id`, []any{staged, hexList(texts)},
		func(scan func(...any) error) error {
			var c textChunk
			var f sqlite.Hash
			err := scan(&c.id, &c.memory, &c.n, &f, &c.hasVector)
			c.text = memory.Fingerprint(f)
			chunks = append(chunks, c)
			return err
		})
	return chunks, err
}

// hexList returns texts as [Store.Vectors] and queries with json_each take them.
func hexList(texts []memory.Fingerprint) string {
	hex := make([]string, len(texts))
	for i, f := range texts {
		hex[i] = f.String()
	}
	return sqlite.JSONList(hex)
}

func indexedOnly(vectors map[memory.Fingerprint][]float32, chunks []textChunk) map[memory.Fingerprint][]float32 {
	indexed := make(map[memory.Fingerprint][]float32, len(vectors))
	for _, c := range chunks {
		indexed[c.text] = vectors[c.text]
	}
	return indexed
}

// addVectors adds the vectors of some chunks to the table of a model.
func (tx *Tx) addVectors(chunks []textChunk, vectors map[memory.Fingerprint][]float32, m Model) error {
	ids := make([]int64, len(chunks))
	for i, c := range chunks {
		ids[i] = c.id
		if m.Table == "" {
			continue
		}
		if c.hasVector { // vec0 does not support INSERT OR REPLACE
			if err := tx.sql.Exec("DELETE FROM "+m.Table+" WHERE rowid = ?", c.id); err != nil {
				return err
			}
		}
		// The distance of a zero vector to any other is NULL.
		if v := vectors[c.text]; slices.ContainsFunc(v, func(x float32) bool { return x != 0 }) {
			if err := tx.sql.Exec("INSERT INTO "+m.Table+"(rowid, embedding) VALUES (?, ?)", c.id, Encode(v)); err != nil {
				return err
			}
		}
	}
	column := "embedded"
	if m.staged {
		column = "next"
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	return tx.sql.Exec("UPDATE chunks SET "+column+" = 1 WHERE id IN (SELECT value FROM json_each(?))", string(list))
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

// SignBits returns one bit per dimension, set if the number is positive.
func SignBits(v []float32) []byte {
	b := make([]byte, (len(v)+7)/8)
	for i, x := range v {
		if x > 0 {
			b[i/8] |= 1 << (i % 8)
		}
	}
	return b
}
