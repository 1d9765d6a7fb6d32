package query_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
)

// benchmark runs a benchmark on databases of several sizes. None has an in-memory
// index.
func benchmark(b *testing.B, run func(b *testing.B, db *index.DB, z zipfWords)) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			if n > 10_000 && testing.Short() {
				b.Skip("large")
			}
			db := open(b, filepath.Join(b.TempDir(), "tiered.db"), index.Options{NoInMemory: true})
			z := newZipfWords(1)
			z.apply(b, db, n/100)
			run(b, db, z)
		})
	}
}

// BenchmarkSearchWords minus BenchmarkPlainBM25 is the cost of filters and scores.
func BenchmarkSearchWords(b *testing.B) {
	benchmark(b, func(b *testing.B, db *index.DB, z zipfWords) {
		for b.Loop() {
			must.Get(db.Search(b.Context(), query(z.draw(6)...), memory.Predicate{}, 100, false))(b)
		}
	})
}

func BenchmarkPlainBM25(b *testing.B) {
	benchmark(b, func(b *testing.B, db *index.DB, z zipfWords) {
		conn := must.Get(sql.Open("sqlite", db.Path()))(b)
		defer conn.Close()
		for b.Loop() {
			var found int
			must.Do(b, conn.QueryRow(`SELECT count(*) FROM (SELECT c.memory_id FROM (SELECT rowid AS id FROM memories_fts WHERE memories_fts MATCH ?
				ORDER BY bm25(memories_fts) LIMIT 100) f JOIN chunks c ON c.id = f.id)`, `"`+strings.Join(z.draw(6), `" OR "`)+`"`).Scan(&found))
		}
	})
}

func BenchmarkSearchFromTables(b *testing.B) {
	benchmark(b, func(b *testing.B, db *index.DB, z zipfWords) {
		for b.Loop() {
			must.Get(db.Search(b.Context(), z.question(6), memory.Predicate{}, 100, false))(b)
		}
	})
}

// BenchmarkSearchVectors compares all vectors, and a filter that leaves so few memories that
// vectors are compared one by one.
func BenchmarkSearchVectors(b *testing.B) {
	for name, path := range map[string]string{"all": "", "one file": "memory/7.md"} {
		b.Run(name, func(b *testing.B) {
			benchmark(b, func(b *testing.B, db *index.DB, z zipfWords) {
				must.Do(b, db.UseModel(b.Context(), index.ServingModel, indextest.Model, indextest.Dim))
				must.Do(b, embedPending(b, db))
				for b.Loop() {
					q := memory.Query{Vector: indextest.Embed(strings.Join(z.draw(20), " "))}
					must.Get(db.Search(b.Context(), q, memory.Predicate{Path: path}, 100, true))(b)
				}
			})
		})
	}
}
