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
	// minCosine is the smallest cosine of similar words: kids and children have 0.67,
	// job and employ 0.51. With a smaller one, search loses more relevant memories
	// than it finds.
	minCosine = 0.4

	// maxSimilar is the largest number of similar words. A word has 11 on the
	// average.
	maxSimilar = 40

	// minCandidates is how many words are compared in full, those whose vectors have
	// the most signs in common with the query's.
	minCandidates = 400

	// maxCached is the size of the cache of words that the vocabulary has only in
	// pieces. Queries repeat such words.
	maxCached = 4096
)

// Thesaurus finds words of similar meaning by their rows in a model's table. It is
// safe for concurrent use.
type Thesaurus struct {
	table       func() (*table, error)
	precomputed func() (*similarWords, error) // nil: none

	mu    sync.Mutex
	cache map[string][]memory.Expansion // of words that are not precomputed
	words func() (*wordTable, error)

	vectors wordVectors // for Align
}

// wordTable contains the tokens that are whole English words.
type wordTable struct {
	*table
	ids   []int32   // of the tokens
	norms []float64 // of their codes
	codes []uint64  // the signs of their rows, as bits
}

// Thesaurus returns the model's thesaurus. It parses the table at the first use.
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

// isWord reports whether a token is a whole English word. Words of one or two letters
// are too ambiguous.
func isWord(token string) bool {
	const minLetters = 3
	return len(token) >= minLetters && strings.Trim(token, "abcdefghijklmnopqrstuvwxyz") == ""
}

func (w *wordTable) codeLen() int        { return (w.dim + 63) / 64 }
func (w *wordTable) code(i int) []uint64 { return w.codes[i*w.codeLen():][:w.codeLen()] }

// setSigns sets the bits of the positive numbers of v.
func setSigns(code []uint64, v []float32) {
	for i, x := range v {
		if x > 0 {
			code[i/64] |= 1 << (i % 64)
		}
	}
}

// SimilarWords returns the words whose meaning is most similar to a word's, nearest
// first, without the word itself. The weight is their cosine. A word that the model
// does not know has none; neither has any word if the model cannot be read.
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

// neighbour is a token that is similar to another.
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

// distanceBuffers holds memory for the distance of each word.
var distanceBuffers = sync.Pool{New: func() any { return new([]uint16) }}

// candidates lists the words whose signs differ least from those of v. It lists all
// words up to the Hamming distance at which there are minCandidates.
func (w *wordTable) candidates(v []float32) (found []int) {
	code := make([]uint64, w.codeLen())
	setSigns(code, v)
	buffer := distanceBuffers.Get().(*[]uint16)
	defer distanceBuffers.Put(buffer)
	*buffer = slices.Grow((*buffer)[:0], len(w.ids))[:len(w.ids)]
	distances := *buffer
	counts := make([]int, w.dim+1)
	rest := w.codes
	for i := range distances {
		d := differentSigns(rest, code)
		rest = rest[len(code):]
		distances[i] = uint16(d)
		counts[d]++
	}
	maxDistance, n := 0, counts[0]
	for n < minCandidates && maxDistance < w.dim {
		maxDistance++
		n += counts[maxDistance]
	}
	found = make([]int, 0, n)
	for i, d := range distances {
		if int(d) <= maxDistance {
			found = append(found, i)
		}
	}
	return found
}

// differentSigns counts the bits in which a code and the first words of others differ.
func differentSigns(others, code []uint64) (n int) {
	if len(code) == 4 && len(others) >= 4 { // of the binary's own table: twice as fast without a loop
		return bits.OnesCount64(others[0]^code[0]) + bits.OnesCount64(others[1]^code[1]) +
			bits.OnesCount64(others[2]^code[2]) + bits.OnesCount64(others[3]^code[3])
	}
	for i, word := range code {
		n += bits.OnesCount64(others[i] ^ word)
	}
	return n
}
