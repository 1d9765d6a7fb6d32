package index_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
)

// backendDim is the dimension of the vectors of BenchmarkBackends, that of the table of the program.
const backendDim = 256

// BenchmarkBackends compares a file of SQLite with a PostgreSQL server in the same run: the first
// index, and queries from the tables and from memory. BACKENDS_MEMORIES is their number.
//
//	index/indextest/postgres.sh go test -run xxx -bench Backends -benchtime 1x ./index
func BenchmarkBackends(b *testing.B) {
	n, err := strconv.Atoi(os.Getenv("BACKENDS_MEMORIES"))
	if err != nil {
		n = 10_000
	}
	var want answers
	for _, backend := range []string{"sqlite", "postgres"} {
		b.Run(fmt.Sprint(backend, "/", n), func(b *testing.B) {
			o, path := index.Options{NoInMemory: true}, filepath.Join(b.TempDir(), "tiered.db")
			if backend == "postgres" {
				on := indextest.Postgres(b)
				o.Server, o.Schema = on.URL, on.Schema
			}
			for b.Loop() {
				var got answers
				measure(b, "memories/s", float64(n), func() { withDB(b, path, o, func(db *index.DB) { fill(b, db, n) }) })
				o.NoInMemory = false
				withDB(b, path, o, func(db *index.DB) {
					measure(b, "load-s", 0, func() { must.Do(b, db.Load(b.Context())) })
					got.memory = reportQueries(b, db, "memory")
				})
				o.NoInMemory = true
				withDB(b, path, o, func(db *index.DB) {
					measure(b, "optimize-s", 0, func() { must.Do(b, db.OptimizeWords(b.Context())) })
					got.tables = reportQueries(b, db, "tables")
				})
				if want.memory == nil {
					want = got
				}
				b.ReportMetric(overlap(want.memory, got.memory), "memory-equal")
				b.ReportMetric(overlap(want.tables, got.tables), "tables-equal")
			}
		})
	}
}

// answers are the hits of each question, from memory and from the tables.
type answers struct{ memory, tables [][]memory.ID }

// measure reports the seconds that fn takes, or how many of n it does in a second.
func measure(b *testing.B, unit string, n float64, fn func()) {
	start := time.Now()
	fn()
	figure := time.Since(start).Seconds()
	if n > 0 {
		figure = n / figure
	}
	b.ReportMetric(figure, unit)
	if testing.Verbose() {
		fmt.Fprintln(os.Stderr, b.Name(), figure, unit)
	}
}

func withDB(b *testing.B, path string, o index.Options, fn func(*index.DB)) {
	b.Helper()
	db, err := index.Open(b.Context(), path, o)
	must.Do(b, err)
	fn(db)
	closeNow(b, db)
}

// fill writes n memories, a hundred per file, and their vectors.
func fill(b *testing.B, db *index.DB, n int) {
	b.Helper()
	if err := db.UseModel(b.Context(), index.ServingModel, indextest.Model, backendDim); err != nil {
		b.Fatal(err)
	}
	db.MakeVectors(&index.VectorMaker{Model: indextest.Model, Make: func(texts []index.PendingChunk) (map[memory.Fingerprint][]float32, error) {
		vectors := map[memory.Fingerprint][]float32{}
		for _, text := range texts {
			vectors[text.Fingerprint] = wordVector(text.Text)
		}
		return vectors, nil
	}})
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
}

// wordVector returns the sum of a random vector for each word.
func wordVector(text string) []float32 {
	v := make([]float32, backendDim)
	for _, w := range strings.Fields(text) {
		h := fnv.New64a()
		_, _ = h.Write([]byte(w)) // never fails
		r := rand.New(rand.NewPCG(h.Sum64(), 1))
		for i := range v {
			v[i] += float32(r.NormFloat64())
		}
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

// reportQueries asks 60 questions of six words with a vector, and returns the hits of each.
func reportQueries(b *testing.B, db *index.DB, how string) (hits [][]memory.ID) {
	b.Helper()
	s := newSentences()
	_ = s.texts(50)
	var times []time.Duration
	for range 60 {
		words := s.words20()
		q := query(words[:6]...)
		q.Vector = wordVector(strings.Join(words, " "))
		start := time.Now()
		found, err := db.Search(b.Context(), q, memory.Predicate{}, 10, true)
		times = append(times, time.Since(start))
		if err != nil || found.VectorError != nil {
			b.Fatal(err, found.VectorError)
		}
		var ids []memory.ID
		for _, c := range found.Nearest {
			ids = append(ids, c.ID)
		}
		for _, s := range found.Signals {
			ids = append(ids, s.ID)
		}
		hits = append(hits, ids)
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, how+"-p50-ms")
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, how+"-p95-ms")
	if testing.Verbose() {
		fmt.Fprintln(os.Stderr, b.Name(), how, "p50", times[len(times)/2], "p95", times[len(times)*95/100])
	}
	return hits
}

// overlap returns the share of the wanted that was found.
func overlap(want, found [][]memory.ID) float64 {
	hits, all := 0, 0
	for i := range want {
		for _, id := range want[i] {
			if all++; slices.Contains(found[i], id) {
				hits++
			}
		}
	}
	return float64(hits) / float64(all)
}
