package index

import (
	"fmt"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// maxDim is how many numbers a vector may have: what sqlite-vec takes.
const maxDim = 8192

// createVectorTable makes the vec0 table of a model, empty, and names it; taken is one
// that another model has. Where SQLite cannot make one, there is none, and
// each vector is compared.
func (tx *Tx) createVectorTable(m model, taken string) (string, error) {
	if m.Name == "" {
		return "", nil
	}
	table := vecTables[0]
	if table == taken {
		table = vecTables[1]
	}
	if err := tx.dropVectorTable(table); err != nil {
		return "", err
	}
	// Blocks of 128 vectors lose less to deleted slots, which are never reused,
	// than the default of 1,024, and are as fast.
	err := tx.sql.Run(fmt.Sprintf(`CREATE VIRTUAL TABLE %s USING vec0(
		embedding float[%d] distance_metric=L2, chunk_size=128)`, table, m.Dim))
	if sqlite.IsDiskFailure(err) {
		return "", err
	}
	if made := err == nil; !made {
		table = ""
	}
	return table, nil
}

func (tx *Tx) dropVectorTable(table string) error {
	if table == "" {
		return nil
	}
	return tx.sql.Run("DROP TABLE IF EXISTS " + table)
}

// fillVectors publishes every vector of the model that serves, or of the next,
// that the cache has for the chunks after one.
func (tx *Tx) fillVectors(after int64, forNext bool) error {
	m, next, err := tx.readModels()
	column := "embedded"
	if forNext {
		m, column = next, "next"
	}
	if err != nil || m.Name == "" {
		return err
	}
	const known = `FROM chunks c JOIN embeddings e ON e.fingerprint = c.fingerprint AND e.model = ? WHERE length(e.vector) = ? AND c.id > ?`
	if m.Table != "" {
		if err := tx.sql.Exec(`INSERT INTO `+m.Table+`(rowid, embedding) SELECT c.id, e.vector `+known+
			` AND e.code <> zeroblob(length(e.code)) ORDER BY c.id`, m.Name, 4*m.Dim, after); err != nil {
			return err
		}
	}
	return tx.sql.Exec(`UPDATE chunks SET `+column+` = 1 WHERE id IN (SELECT c.id `+known+`)`, m.Name, 4*m.Dim, after)
}

// publishVector lets every chunk of this text be found by its vector, and says
// whose they are.
func (tx *Tx) publishVector(f memory.Fingerprint, v []float32, m model) (ids []memory.ID, err error) {
	type chunk struct {
		id    int64
		there bool
	}
	var chunks []chunk
	if err := tx.sql.Each("SELECT id, memory_id, CASE WHEN ? THEN next ELSE embedded END FROM chunks WHERE fingerprint = ?", []any{m.staged, f[:]},
		func(scan func(...any) error) error {
			var c chunk
			var id memory.ID
			err := scan(&c.id, &id, &c.there)
			chunks, ids = append(chunks, c), append(ids, id)
			return err
		}); err != nil {
		return nil, err
	}
	for _, c := range chunks {
		if err := tx.publish(c.id, c.there, v, m); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

func (tx *Tx) publish(chunk int64, again bool, v []float32, m model) error {
	if m.Table != "" {
		if again { // vec0 knows no "or replace"
			if err := tx.sql.Exec("DELETE FROM "+m.Table+" WHERE rowid = ?", chunk); err != nil {
				return err
			}
		}
		if slices.ContainsFunc(v, func(number float32) bool { return number != 0 }) { // its distance to anything would be NULL
			if err := tx.sql.Exec("INSERT INTO "+m.Table+"(rowid, embedding) VALUES (?, ?)", chunk, sqlite.EncodeVector(v)); err != nil {
				return err
			}
		}
	}
	if m.staged {
		return tx.sql.Exec("UPDATE chunks SET next = 1 WHERE id = ?", chunk)
	}
	return tx.sql.Exec("UPDATE chunks SET embedded = 1 WHERE id = ?", chunk)
}
