//go:build bench

package index

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
)

// TestBenchLanes: the lanes alone, in this process, on a shelf of so many
// memories (LANES_SIZES), beside the least that the scan of the signs could take:
// reading them once.
func TestBenchLanes(t *testing.T) {
	sizes := os.Getenv("LANES_SIZES")
	if sizes == "" {
		sizes = "100000"
	}
	for s := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		benchLanes(t, n)
	}
}

func benchLanes(t *testing.T, n int) {
	const dim, asked = 256, 60
	w := newInventor()
	begin := time.Now()
	s := w.shelve(n, dim)
	filled := time.Since(begin)
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	everything := func(int32) bool { return true }
	var words, nearest, read []time.Duration
	for i := range asked + 5 {
		a := w.asking(s, w.text(6))
		begin := time.Now()
		s.search(&a, everything)
		took := [3]time.Duration{time.Since(begin)}
		vec := w.vector(dim)
		begin = time.Now()
		s.nearest(quantise(vec, dim), 100, everything)
		took[1] = time.Since(begin)
		begin = time.Now()
		sum := uint64(0)
		for _, x := range s.vectors.codes {
			sum += x
		}
		runtime.KeepAlive(sum)
		took[2] = time.Since(begin)
		if i >= 5 {
			words, nearest, read = append(words, took[0]), append(nearest, took[1]), append(read, took[2])
		}
	}
	at := func(d []time.Duration, p float64) time.Duration {
		slices.Sort(d)
		return d[int(p*float64(len(d)-1))]
	}
	out := map[string]any{"size": n, "heap": m.HeapAlloc, "filled": filled}
	for name, d := range map[string][]time.Duration{"words": words, "vectors": nearest, "reading the signs": read} {
		out[name] = []time.Duration{at(d, .5), at(d, .95), at(d, .99)}
		t.Logf("%d: %-18s p50 %8.2f ms   p95 %8.2f ms", n, name, at(d, .5).Seconds()*1e3, at(d, .95).Seconds()*1e3)
	}
	t.Logf("%d: shelved in %.1f s, %d MiB", n, filled.Seconds(), m.HeapAlloc>>20)
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

// asking looks for a text's words, each with others that count for it as well. The
// lists of all of them hold together somewhat more entries than there are memories,
// as those of questions about real conversations do (0.9 and 1.2 times as many in
// two of them): ten of the lists are of the most frequent words, the others of any.
func (w inventor) asking(s *searchIndex, text string) searchQuery {
	a := searchQuery{k: 100}
	for i, word := range strings.Fields(text) {
		term := memory.Term{Text: word, Kind: memory.TermWord}
		for j := range 11 {
			rank := w.r.IntN(30_000)
			if i < 2 && j < 5 {
				rank = 7*i + j*j + 9
			}
			term.Expansions = append(term.Expansions, memory.Expansion{Text: fmt.Sprintf("w%dord", rank), Weight: 0.5})
		}
		a.Terms = append(a.Terms, term)
	}
	a.terms = compileTerms(a.Terms)
	a.total = s.setIDF(a.terms)
	for _, t := range a.terms {
		a.variants = append(a.variants, s.variantsOf(t))
	}
	a.stats = corpusStats{chunks: float64(s.chunkCount), avgLen: s.tokenCount / max(1, float64(s.chunkCount))}
	return a
}

// inventor makes up memories.
type inventor struct {
	r     *rand.Rand
	words *rand.Zipf
}

func newInventor() inventor {
	r := rand.New(rand.NewPCG(3, 5))
	return inventor{r, rand.NewZipf(r, 1.1, 20, 30_000)}
}

func (w inventor) text(words int) string {
	out := make([]string, words)
	for i := range out {
		out[i] = fmt.Sprintf("w%dord", w.words.Uint64())
	}
	return strings.Join(out, " ")
}

func (w inventor) vector(dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(w.r.NormFloat64()) / 16
	}
	return v
}

// shelve fills a shelf: a hundred memories a file, fifteen a heading.
func (w inventor) shelve(n, dim int) *searchIndex {
	s := newSearchIndex(model{name: "made up", dim: dim})
	for i := range n {
		path, text := fmt.Sprintf("memory/%d.md", i/100), w.text(8+w.r.IntN(25))
		row := memory.Memory{ID: memory.ID(fmt.Sprintf("%036d", i)), Text: text, Path: path, Heading: []string{fmt.Sprint("h", i%100/15)}}
		m := inputDoc{chunks: []inputChunk{{chunkText: chunkText{text: text, context: path}, vector: w.vector(dim)}}}
		m.ordinal, m.textBytes = i%100, len(text)
		m.setFields(row, &s.interned)
		s.prepare(&m)
		s.add(m)
	}
	for path := range s.fileDocs {
		s.linkFile(path)
	}
	return s
}
