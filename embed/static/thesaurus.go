package static

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

const (
	// minCosine is the cosine from which two words count as akin: kids and
	// children have 0.67, job and employ 0.51. Lower, recall of the words'
	// neighbours costs more of the right answers than it finds.
	minCosine = 0.4

	// maxSimilar bounds how many words stand in for one. Words have 11 on the
	// average.
	maxSimilar = 40

	// minCandidates is how many words, of those whose vectors' signs differ least, are
	// compared in full.
	minCandidates = 400

	// maxCached bounds the words in pieces whose kin is kept: what people ask
	// repeats.
	maxCached = 4096
)

// Thesaurus knows which words mean nearly the same, by their rows in a model's
// table. It is safe for concurrent use.
type Thesaurus struct {
	table       func() (*table, error)
	precomputed func() (*similarWords, error) // what was worked out before; nil: nothing

	mu    sync.Mutex
	cache map[string][]memory.Expansion // of words in pieces
	words func() (*wordTable, error)
}

// wordTable are the tokens that are whole English words.
type wordTable struct {
	*table
	ids   []int32   // of their rows
	norms []float64 // of their rows, as they are coded
	codes []uint64  // the signs of their rows
}

// Thesaurus gives the model's. It reads the table when first asked.
func (e *Embedder) Thesaurus() *Thesaurus {
	return &Thesaurus{table: e.table, precomputed: e.similar, cache: map[string][]memory.Expansion{}, words: sync.OnceValues(func() (*wordTable, error) {
		t, err := e.table()
		if err != nil {
			return nil, err
		}
		return newWordTable(t), nil
	})}
}

func newWordTable(t *table) *wordTable {
	w := &wordTable{table: t}
	for id, token := range t.tokens {
		if t.scales[id] != 0 && isWord(token) {
			w.ids = append(w.ids, int32(id))
		}
	}
	w.codes = make([]uint64, len(w.ids)*w.codeLen())
	w.norms = make([]float64, len(w.ids))
	row := make([]float32, t.dim)
	for i, id := range w.ids {
		clear(row)
		w.add(row, id)
		setSigns(w.code(i), row)
		w.norms[i] = math.Sqrt(w.dot(row, id) / float64(t.scales[id]))
	}
	return w
}

// isWord keeps pieces, numbers, marks, and words too short to mean one thing.
func isWord(token string) bool {
	const shortest = 3
	return len(token) >= shortest && strings.Trim(token, "abcdefghijklmnopqrstuvwxyz") == ""
}

func (w *wordTable) codeLen() int        { return (w.dim + 63) / 64 }
func (w *wordTable) code(i int) []uint64 { return w.codes[i*w.codeLen():][:w.codeLen()] }

func setSigns(code []uint64, v []float32) {
	for i, x := range v {
		if x > 0 {
			code[i/64] |= 1 << (i % 64)
		}
	}
}

// SimilarWords gives the words that mean most nearly what a word does, nearest first,
// without the word itself. The weight is their cosine. A word that the model
// does not know, and every word where the model cannot be read, has none.
func (t *Thesaurus) SimilarWords(word string) []memory.Expansion {
	word = strings.ToLower(word)
	table, err := t.table()
	if err != nil {
		return nil
	}
	if id, whole := table.wordStarts[word]; whole && t.precomputed != nil {
		if k, err := t.precomputed(); err == nil {
			return k.lookup(id, table.tokens)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	found, known := t.cache[word]
	if !known {
		if len(t.cache) >= maxCached {
			clear(t.cache)
		}
		found = t.compute(word)
		t.cache[word] = found
	}
	return found
}

func (t *Thesaurus) compute(word string) (found []memory.Expansion) {
	w, err := t.words()
	if err != nil {
		return nil
	}
	for _, a := range w.neighbours(word) {
		found = append(found, memory.Expansion{Text: w.tokens[a.id], Weight: a.cosine})
	}
	return found
}

// neighbour is a token that means nearly the same as another.
type neighbour struct {
	id     int32
	cosine float64
}

func (w *wordTable) neighbours(word string) (found []neighbour) {
	v := make([]float32, w.dim)
	for _, id := range newTokenizer(&w.vocabulary).tokens(word) {
		w.add(v, id)
	}
	embed.Normalize(v)
	if embed.IsZero(v) {
		return nil
	}
	for _, i := range w.candidates(v) {
		id := w.ids[i]
		cosine := w.dot(v, id) / w.norms[i]
		if cosine >= minCosine && w.tokens[id] != word {
			found = append(found, neighbour{id, cosine})
		}
	}
	slices.SortFunc(found, func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.id, b.id))
	})
	return found[:min(len(found), maxSimilar)]
}

// candidates lists the words whose signs differ least from a vector's: all up to the
// distance at which there are enough.
func (w *wordTable) candidates(v []float32) (found []int) {
	code := make([]uint64, w.codeLen())
	setSigns(code, v)
	far := make([]uint16, len(w.ids))
	counts := make([]int, w.dim+1)
	for i := range w.ids {
		d := 0
		for k, x := range w.code(i) {
			d += bits.OnesCount64(x ^ code[k])
		}
		far[i] = uint16(d)
		counts[d]++
	}
	most, n := 0, counts[0]
	for n < minCandidates && most < w.dim {
		most++
		n += counts[most]
	}
	for i, d := range far {
		if int(d) <= most {
			found = append(found, i)
		}
	}
	return found
}
