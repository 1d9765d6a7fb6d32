package index_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// sentences draws texts of twenty words, with the word frequencies of natural text.
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

// filled returns a database of n memories, a hundred per file.
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

// BenchmarkFill indexes a whole workspace; memories/s is the figure to read.
func BenchmarkFill(b *testing.B) {
	each(b, func(b *testing.B, n int) {
		for b.Loop() {
			filled(b, n, index.Options{})
		}
		b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "memories/s")
	})
}

// texts returns n texts of 20 words.
func (s sentences) texts(n int) (texts []string) {
	for range n {
		texts = append(texts, strings.Join(s.words20(), " "))
	}
	return texts
}

// BenchmarkApplyBesideForgottenTexts indexes 1,000 texts while other texts are
// forgotten in every copy.
func BenchmarkApplyBesideForgottenTexts(b *testing.B) {
	for _, forgotten := range []int{0, 10, 10_000} {
		b.Run(fmt.Sprint(forgotten), func(b *testing.B) {
			db := open(b, filepath.Join(b.TempDir(), "tiered.db"), index.Options{})
			s := newSentences()
			apply(b, db, noon, file("memory/forgotten.md", s.texts(max(1, forgotten))...))
			if forgotten > 0 {
				update(b, db, noon, func(tx *index.Tx) error {
					var ids []memory.ID
					for _, m := range file("memory/forgotten.md", newSentences().texts(forgotten)...).Placements {
						ids = append(ids, m.ID)
					}
					return tx.ForgetText(ids...)
				})
			}
			n := 0
			for b.Loop() {
				b.StopTimer()
				batch := file(fmt.Sprintf("memory/%d.md", n), s.texts(1000)...)
				n++
				b.StartTimer()
				apply(b, db, noon, batch)
			}
		})
	}
}
