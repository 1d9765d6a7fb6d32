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
	// leastAlike is the cosine from which two words count as akin: kids and
	// children have 0.67, job and employ 0.51. Lower, recall of the words'
	// neighbours costs more of the right answers than it finds.
	leastAlike = 0.4

	// mostAlike bounds how many words stand in for one. Words have 11 on the
	// average.
	mostAlike = 40

	// rescored is how many words, of those whose vectors' signs differ least, are
	// compared in full.
	rescored = 400

	// remembered bounds the words whose kin is kept: what people ask repeats.
	remembered = 4096
)

// Thesaurus knows which words mean nearly the same, by their rows in a model's
// table. It is safe for concurrent use.
type Thesaurus struct {
	load func() (*words, error)

	mu    sync.Mutex
	known map[string][]memory.Alike
}

// words are the tokens that are whole English words.
type words struct {
	*table
	list   []string
	ids    []int32   // of their rows
	length []float64 // of their rows, as they are coded
	codes  []uint64  // the signs of their rows
}

// Thesaurus gives the model's. It reads the table when first asked.
func (e *Embedder) Thesaurus() *Thesaurus {
	return &Thesaurus{known: map[string][]memory.Alike{}, load: sync.OnceValues(func() (*words, error) {
		t, err := e.table()
		if err != nil {
			return nil, err
		}
		return wordsOf(t), nil
	})}
}

func wordsOf(t *table) *words {
	w := &words{table: t}
	for token, id := range t.first {
		if t.scales[id] != 0 && isWord(token) {
			w.list = append(w.list, token)
		}
	}
	slices.Sort(w.list) // the order of a map is none
	w.codes = make([]uint64, len(w.list)*w.perCode())
	row := make([]float32, t.dim)
	for _, token := range w.list {
		id := t.first[token]
		clear(row)
		w.add(row, id)
		signs(w.code(len(w.ids)), row)
		w.ids = append(w.ids, id)
		w.length = append(w.length, math.Sqrt(w.dot(row, id)/float64(t.scales[id])))
	}
	return w
}

// isWord keeps pieces, numbers, marks, and words too short to mean one thing.
func isWord(token string) bool {
	const shortest = 3
	return len(token) >= shortest && strings.Trim(token, "abcdefghijklmnopqrstuvwxyz") == ""
}

func (w *words) perCode() int        { return (w.dim + 63) / 64 }
func (w *words) code(i int) []uint64 { return w.codes[i*w.perCode():][:w.perCode()] }

func signs(code []uint64, v []float32) {
	for i, x := range v {
		if x > 0 {
			code[i/64] |= 1 << (i % 64)
		}
	}
}

// Alike gives the words that mean most nearly what a word does, nearest first,
// without the word itself. The weight is their cosine. A word that the model
// does not know, and every word where the model cannot be read, has none.
func (t *Thesaurus) Alike(word string) []memory.Alike {
	word = strings.ToLower(word)
	t.mu.Lock()
	defer t.mu.Unlock()
	if found, known := t.known[word]; known {
		return found
	}
	w, err := t.load()
	if err != nil {
		return nil
	}
	if len(t.known) >= remembered {
		clear(t.known)
	}
	found := w.alike(word)
	t.known[word] = found
	return found
}

func (w *words) alike(word string) (found []memory.Alike) {
	v := make([]float32, w.dim)
	for _, id := range newCutter(&w.vocabulary).tokens(word) {
		w.add(v, id)
	}
	embed.Normalize(v)
	if embed.IsZero(v) {
		return nil
	}
	for _, i := range w.nearby(v) {
		cosine := w.dot(v, w.ids[i]) / w.length[i]
		if cosine >= leastAlike && w.list[i] != word {
			found = append(found, memory.Alike{Text: w.list[i], Weight: cosine})
		}
	}
	slices.SortFunc(found, func(a, b memory.Alike) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Text, b.Text))
	})
	return slices.Clip(found[:min(len(found), mostAlike)])
}

// nearby lists the words whose signs differ least from a vector's: all up to the
// distance at which there are enough.
func (w *words) nearby(v []float32) (found []int) {
	code := make([]uint64, w.perCode())
	signs(code, v)
	far := make([]uint16, len(w.list))
	counts := make([]int, w.dim+1)
	for i := range w.list {
		d := 0
		for k, x := range w.code(i) {
			d += bits.OnesCount64(x ^ code[k])
		}
		far[i] = uint16(d)
		counts[d]++
	}
	most, n := 0, counts[0]
	for n < rescored && most < w.dim {
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
