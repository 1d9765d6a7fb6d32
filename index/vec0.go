package index

import (
	"context"
	"fmt"

	"github.com/memory-tiered/memory"
)

// maxDim is how many numbers a vector may have: what sqlite-vec takes.
const maxDim = 8192

// maxNeighbours is how many neighbours vec0 gives at most.
const maxNeighbours = 4096

// makeTable makes the vec0 table of a model, empty, and names it; taken is one
// that another model has. Where SQLite has no vec0, there is none, and the scan
// in-process serves.
func (tx *Tx) makeTable(m model, taken string) (string, error) {
	if m.name == "" {
		return "", nil
	}
	table := vecTables[0]
	if table == taken {
		table = vecTables[1]
	}
	if err := tx.dropTable(table); err != nil {
		return "", err
	}
	// Blocks of 128 vectors lose less to deleted slots, which are never reused,
	// than the default of 1,024, and are as fast.
	err := tx.run(fmt.Sprintf(`CREATE VIRTUAL TABLE %s USING vec0(
		embedding float[%d] distance_metric=L2, chunk_size=128)`, table, m.dim))
	if isCode(err, codeFull, codeIO, codeCorrupt) {
		return "", err
	}
	if made := err == nil; !made {
		table = ""
	}
	return table, nil
}

func (tx *Tx) dropTable(table string) error {
	if table == "" {
		return nil
	}
	return tx.run("DROP TABLE IF EXISTS " + table)
}

// fillVectors publishes every vector that the cache has for the chunks there are.
func (tx *Tx) fillVectors() error {
	m, err := tx.model()
	if err != nil || m.name == "" {
		return err
	}
	const known = `FROM chunks c JOIN embeddings e ON e.fingerprint = c.fingerprint AND e.model = ? WHERE length(e.vector) = ?`
	if m.table != "" {
		if err := tx.exec(`INSERT INTO `+m.table+`(rowid, embedding) SELECT c.id, e.vector `+known+
			` AND e.code <> zeroblob(length(e.code))`, m.name, 4*m.dim); err != nil {
			return err
		}
	}
	return tx.exec(`UPDATE chunks SET embedded = 1 WHERE id IN (SELECT c.id `+known+`)`, m.name, 4*m.dim)
}

// embedFromCache publishes a new chunk's vectors, where they are known already.
func (tx *Tx) embedFromCache(chunk int64, f memory.Fingerprint) error {
	serving, next, err := tx.models()
	if err != nil {
		return err
	}
	for _, m := range [2]model{serving, next} {
		if m.name == "" {
			continue
		}
		if err := tx.publishCached(chunk, f, m); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) publishCached(chunk int64, f memory.Fingerprint, m model) error {
	var b []byte
	err := tx.each("SELECT vector FROM embeddings WHERE fingerprint = ? AND model = ?", []any{f[:], m.name},
		func(scan func(...any) error) error { return scan(&b) })
	if err != nil || len(b) != 4*m.dim {
		return err
	}
	return tx.publish(chunk, vectorOf(b), m)
}

// publishVector lets every chunk of this text be found by its vector.
func (tx *Tx) publishVector(f memory.Fingerprint, v []float32, m model) error {
	var chunks []int64
	var ids []memory.ID
	if err := tx.each("SELECT id, memory_id FROM chunks WHERE fingerprint = ?", []any{f[:]},
		func(scan func(...any) error) error {
			var chunk int64
			var id memory.ID
			err := scan(&chunk, &id)
			chunks, ids = append(chunks, chunk), append(ids, id)
			return err
		}); err != nil {
		return err
	}
	for _, chunk := range chunks {
		if err := tx.publish(chunk, v, m); err != nil {
			return err
		}
	}
	if m.next {
		return nil // no search looks there yet
	}
	return tx.changed(ids...)
}

func (tx *Tx) publish(chunk int64, v []float32, m model) error {
	if m.table != "" {
		// vec0 knows no "or replace".
		if err := tx.exec("DELETE FROM "+m.table+" WHERE rowid = ?", chunk); err != nil {
			return err
		}
		if !isZero(v) { // its distance to anything would be NULL
			if err := tx.exec("INSERT INTO "+m.table+"(rowid, embedding) VALUES (?, ?)", chunk, vectorBytes(v)); err != nil {
				return err
			}
		}
	}
	if m.next {
		return tx.exec("UPDATE chunks SET next = 1 WHERE id = ?", chunk)
	}
	return tx.exec("UPDATE chunks SET embedded = 1 WHERE id = ?", chunk)
}

func isZero(v []float32) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}

// neighbours asks vec0 for the n nearest chunks, and gives their memories,
// nearest first; a memory may come more than once.
func (db *DB) neighbours(ctx context.Context, m model, vec []float32, n int) (found []memory.Candidate, err error) {
	err = db.now().each(ctx, `SELECT c.memory_id, v.distance FROM
		(SELECT rowid, distance FROM `+m.table+` WHERE embedding MATCH ? AND k = ?) v JOIN chunks c ON c.id = v.rowid
		ORDER BY v.distance, c.memory_id`, []any{vectorBytes(vec), n}, func(scan func(...any) error) error {
		var c memory.Candidate
		var distance float64
		err := scan(&c.ID, &distance)
		c.Raw = 1 - distance*distance/2 // of unit vectors
		found = append(found, c)
		return err
	})
	return found, err
}
