package postgres

import (
	"fmt"
	"strings"

	"github.com/memory-tiered/memory/index/sqldb"
)

// direction returns the SQL of the upper bytes of a vector, as pgvector compares them. An index
// needs a dimension, and a table may have the vectors of several models.
func direction(vector string, dim int) string {
	column := strings.TrimSuffix(vector, "vector") + "direction"
	return fmt.Sprintf("(CASE WHEN vector_dims(%s) = %d THEN %s END)::halfvec(%d)", column, dim, column, dim)
}

// Distance returns the SQL by which pgvector compares the upper bytes of a vector. A subquery
// converts the parameter once, and not for each row.
func (b *backend) Distance(vector string, dim int) string {
	return fmt.Sprintf("%s <=> (SELECT vec_int8(?)::halfvec(%d))", direction(vector, dim), dim)
}

// fewestIndexed is the number of vectors of a dimension from which they get an HNSW index. To
// compare each of fewer takes some 20 ms.
const fewestIndexed = 20_000

// maxIndexed is the largest dimension of a halfvec with an index.
const maxIndexed = 4000

// Optimize reads the statistics again. If vectors are searched, it indexes those of each
// dimension that has many.
func (b *backend) Optimize(tx *sqldb.Tx, byVector bool) error {
	if byVector {
		if err := indexVectors(tx); err != nil {
			return err
		}
	}
	return tx.Run("ANALYZE memories, chunks, places, embeddings, memories_fts, memories_fts_words")
}

func indexVectors(tx *sqldb.Tx) error {
	type dimension struct{ dim, vectors int }
	var many []dimension
	err := tx.Each("SELECT vector_dims(direction), count(*) FROM embeddings GROUP BY 1 HAVING count(*) >= ? AND vector_dims(direction) <= ?",
		[]any{fewestIndexed, maxIndexed}, func(scan func(...any) error) error {
			var d dimension
			err := scan(&d.dim, &d.vectors)
			many = append(many, d)
			return err
		})
	for _, d := range many {
		if err == nil {
			err = tx.Run(fmt.Sprintf("SET LOCAL maintenance_work_mem = '%dMB'; CREATE INDEX IF NOT EXISTS idx_embeddings_near_%d ON embeddings USING hnsw ((%s) halfvec_cosine_ops)",
				buildMegabytes(d.dim, d.vectors), d.dim, direction("vector", d.dim)))
		}
	}
	return err
}

// buildMegabytes returns the memory in which an HNSW index is built: two bytes a number, and half
// a kilobyte of neighbours for each vector. A graph that does not fit takes many times as long.
func buildMegabytes(dim, vectors int) int {
	return min(256+vectors*(2*dim+512)>>20, 4096)
}
