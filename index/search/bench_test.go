//go:build bench

package search

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/text"
)

// TestBenchLanes measures both lanes on an index of each size in LANES_SIZES. These
// are words in context, and nearest vectors beside the lower limit of their scan.
// The limit is to read every sign once.
func TestBenchLanes(t *testing.T) {
	sizes := os.Getenv("LANES_SIZES")
	if sizes == "" {
		sizes = "100000"
	}
	for size := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil {
			t.Fatal(err)
		}
		benchLanes(t, n)
	}
}

func benchLanes(t *testing.T, n int) {
	const dim, queries, warmUp = 256, 60, 5
	g := newGenerator()
	begin := time.Now()
	x := g.index(n, dim)
	filled := time.Since(begin)
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	all := Filter{matches: func(int32) bool { return true }}
	var words, nearest, read []time.Duration
	timed := func(took *[]time.Duration, run func()) {
		begin := time.Now()
		run()
		*took = append(*took, time.Since(begin))
	}
	for i := range warmUp + queries {
		if i == warmUp {
			words, nearest, read = nil, nil, nil
		}
		query := Query{Terms: g.terms(6), K: 100}
		q := x.newQuery(&query, &all)
		timed(&words, func() { x.search(q) })
		vector := g.vector(dim)
		timed(&nearest, func() { x.nearestMatching(x.sets[0].query(vector), all, 100) })
		timed(&read, func() {
			sum := uint64(0)
			for _, code := range x.sets[0].codes {
				sum += code
			}
			runtime.KeepAlive(sum)
		})
	}
	percentile := func(d []time.Duration, p float64) time.Duration {
		slices.Sort(d)
		return d[int(p*float64(len(d)-1))]
	}
	out := map[string]any{"size": n, "heap": m.HeapAlloc, "filled": filled}
	for name, d := range map[string][]time.Duration{"words": words, "vectors": nearest, "reading the signs": read} {
		out[name] = []time.Duration{percentile(d, .5), percentile(d, .95), percentile(d, .99)}
		t.Logf("%d: %-18s p50 %8.2f ms   p95 %8.2f ms", n, name, percentile(d, .5).Seconds()*1e3, percentile(d, .95).Seconds()*1e3)
	}
	t.Logf("%d: filled in %.1f s, %d MiB", n, filled.Seconds(), m.HeapAlloc>>20)
	if dir := os.Getenv("BENCH_OUT"); dir != "" {
		src, err := json.MarshalIndent(out, "", " ")
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("lanes-%d.json", n)), src, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// generator generates memories and queries, the same in each run.
type generator struct {
	r     *rand.Rand
	words *rand.Zipf
}

func newGenerator() generator {
	r := rand.New(rand.NewPCG(3, 5))
	return generator{r, rand.NewZipf(r, 1.1, 20, 30_000)}
}

func word(rank any) string { return fmt.Sprintf("w%dord", rank) }

func (g generator) text(words int) string {
	out := make([]string, words)
	for i := range out {
		out[i] = word(g.words.Uint64())
	}
	return strings.Join(out, " ")
}

func (g generator) vector(dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(g.r.NormFloat64()) / 16
	}
	return v
}

// terms generates the terms of a query, each with eleven expansions. Their postings
// are together somewhat more than there are memories, as those of questions about
// real conversations are. There are 0.9 and 1.2 times as many in two of them. Ten
// expansions are among the most frequent words, the others are any.
func (g generator) terms(n int) []text.Term {
	var terms []memory.Term
	for i, w := range strings.Fields(g.text(n)) {
		term := memory.Term{Text: w, Kind: memory.TermWord}
		for j := range 11 {
			rank := g.r.IntN(30_000)
			if i < 2 && j < 5 {
				rank = 7*i + j*j + 9
			}
			term.Expansions = append(term.Expansions, memory.Expansion{Text: word(rank), Weight: 0.5})
		}
		terms = append(terms, term)
	}
	return text.CompileTerms(terms)
}

// index generates an index with a hundred memories a file, fifteen under a heading.
func (g generator) index(n, dim int) *Index {
	const perFile, perHeading = 100, 15
	x := New("generated", dim)
	var docs []Document
	for i := range n {
		path, text := fmt.Sprintf("memory/%d.md", i/perFile), g.text(8+g.r.IntN(25))
		docs = append(docs, Document{
			Memory: memory.Memory{ID: memory.ID(fmt.Sprintf("%036d", i)), Text: text, Path: path,
				Heading: []string{fmt.Sprint("h", i%perFile/perHeading)}},
			Ordinal: i % perFile,
			Chunks:  []Chunk{{ChunkText: ChunkText{Text: text, Context: path}, Vector: g.vector(dim)}},
		})
		if len(docs) == perFile {
			x.Prepare(docs)
			x.Replace(nil, docs)
			docs = docs[:0]
		}
	}
	return x
}
