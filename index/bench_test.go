package index_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
)

// sentences makes texts of some twenty words whose frequencies fall as those of
// a language do.
type sentences struct {
	r     *rand.Rand
	words *rand.Zipf
}

func newSentences() sentences {
	r := rand.New(rand.NewPCG(3, 5))
	return sentences{r, rand.NewZipf(r, 1.1, 8, 30_000)}
}

func (s sentences) words20() []string {
	out := make([]string, 20)
	for i := range out {
		out[i] = fmt.Sprintf("w%xord", s.words.Uint64())
	}
	return out
}

// filled is a database of n memories, a hundred a file.
func filled(b *testing.B, n int, o index.Options) *index.DB {
	b.Helper()
	db := open(b, filepath.Join(b.TempDir(), "tiered.db"), o)
	s := newSentences()
	for from := 0; from < n; from += 10_000 {
		var all memory.Batch
		for f := from; f < min(n, from+10_000); f += 100 {
			var lines []string
			for i := range 100 {
				lines = append(lines, fmt.Sprintf("%s %d", strings.Join(s.words20(), " "), f+i))
			}
			all = join(all, file(fmt.Sprintf("memory/%d.md", f), lines...))
		}
		apply(b, db, noon, all)
	}
	return db
}

var sizes = []int{1_000, 10_000, 100_000}

func each(b *testing.B, run func(b *testing.B, n int)) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			if n > 10_000 && testing.Short() {
				b.Skip("large")
			}
			run(b, n)
		})
	}
}

// BenchmarkText beside BenchmarkPlainBM25 says what visibility and calibration
// cost over the bare query.
func BenchmarkText(b *testing.B) {
	each(b, func(b *testing.B, n int) {
		db := filled(b, n, index.Options{})
		s := newSentences()
		for b.Loop() {
			if _, err := db.SearchText(b.Context(), query(s.words20()[:6]...), memory.Predicate{}, 100); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkPlainBM25(b *testing.B) {
	each(b, func(b *testing.B, n int) {
		db := filled(b, n, index.Options{})
		s := newSentences()
		for b.Loop() {
			match := `"` + strings.Join(s.words20()[:6], `" OR "`) + `"`
			if _, err := db.Column(`SELECT c.memory_id FROM (SELECT rowid AS id FROM memories_fts WHERE memories_fts MATCH ?
				ORDER BY bm25(memories_fts) LIMIT 100) f JOIN chunks c ON c.id = f.id`, match); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkVector(b *testing.B) {
	for name, vec0 := range map[string]bool{"vec0": true, "without vec0": false} {
		b.Run(name, func(b *testing.B) {
			each(b, func(b *testing.B, n int) {
				db := filled(b, n, index.Options{NoInMemory: true})
				if !vec0 {
					withoutVec0(b, db)
				}
				embedAll(b, db)
				s := newSentences()
				for b.Loop() {
					q := memory.Query{Vector: indextest.Embed(strings.Join(s.words20(), " "))}
					if _, err := db.SearchVector(b.Context(), q, memory.Predicate{}, 100); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}

// BenchmarkEdit changes one line of one file.
func BenchmarkEdit(b *testing.B) {
	each(b, func(b *testing.B, n int) {
		db := filled(b, n, index.Options{})
		embedAll(b, db)
		i := 0
		for b.Loop() {
			i++
			edited := file("notes.md", "a first line", fmt.Sprint("a line that changes: ", i), "a last line")
			edited.Placements[1].ID = id("a line that changes: 1")
			apply(b, db, noon, edited)
		}
	})
}

// BenchmarkFill indexes a whole base at once; see memories/s.
func BenchmarkFill(b *testing.B) {
	each(b, func(b *testing.B, n int) {
		for b.Loop() {
			filled(b, n, index.Options{})
		}
		b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "memories/s")
	})
}
