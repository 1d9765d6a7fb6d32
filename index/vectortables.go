package index

import (
	"fmt"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// maxDim is the highest dimension that sqlite-vec accepts.
const maxDim = 8192

// createVectorTable creates an empty vec0 table for a model and returns its name. taken
// is the table of another model. If SQLite cannot create it, the name is empty, and
// queries compare every vector.
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
	// vec0 never reuses the slots of deleted vectors. Blocks of 128 vectors waste fewer
	// slots than the default of 1,024, and are as fast.
	err := tx.sql.Run(fmt.Sprintf(`CREATE VIRTUAL TABLE %s USING vec0(
		embedding float[%d] distance_metric=L2, chunk_size=128)`, table, m.Dim))
	if sqlite.IsDiskFailure(err) {
		return "", err
	}
	if created := err == nil; !created {
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

// fillVectors adds the cached vectors of all chunks after one to the table of the
// serving model, or of the staged one.
func (tx *Tx) fillVectors(after int64, staged bool) error {
	m, stagedModel, err := tx.readModels()
	column := "embedded"
	if staged {
		m, column = stagedModel, "next"
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

// publishVector adds the vector of a text to every chunk with this text, and returns
// their memories.
func (tx *Tx) publishVector(f memory.Fingerprint, v []float32, m model) (ids []memory.ID, err error) {
	type chunk struct {
		id        int64
		published bool
	}
	var chunks []chunk
	if err := tx.sql.Each("SELECT id, memory_id, CASE WHEN ? THEN next ELSE embedded END FROM chunks WHERE fingerprint = ?", []any{m.staged, f[:]},
		func(scan func(...any) error) error {
			var c chunk
			var id memory.ID
			err := scan(&c.id, &id, &c.published)
			chunks, ids = append(chunks, c), append(ids, id)
			return err
		}); err != nil {
		return nil, err
	}
	for _, c := range chunks {
		if err := tx.publish(c.id, c.published, v, m); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// publish adds the vector of a chunk, or replaces it if it was published before.
func (tx *Tx) publish(chunk int64, published bool, v []float32, m model) error {
	if m.Table != "" {
		if published { // vec0 has no INSERT OR REPLACE
			if err := tx.sql.Exec("DELETE FROM "+m.Table+" WHERE rowid = ?", chunk); err != nil {
				return err
			}
		}
		if slices.ContainsFunc(v, func(number float32) bool { return number != 0 }) { // the distance to a vector of zeros is NULL
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
