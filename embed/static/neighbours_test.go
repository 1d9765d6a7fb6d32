package static

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

// The file of similar words is computed here, because the program only reads it.

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
)

// wordTable contains the tokens that are whole English words.
type wordTable struct {
	*table
	ids   []int32   // of the tokens
	norms []float64 // of their codes
	codes []uint64  // the signs of their rows, as bits
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

// candidates lists the words whose signs differ least from those of v. It lists all
// words up to the Hamming distance at which there are minCandidates.
func (w *wordTable) candidates(v []float32) (found []int) {
	code := make([]uint64, w.codeLen())
	setSigns(code, v)
	distances := make([]uint16, len(w.ids))
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
	for i, word := range code {
		n += bits.OnesCount64(others[i] ^ word)
	}
	return n
}

// dot returns the dot product of a vector and the codes of a token, without their
// scale. Each product is rounded before it is added, as in add.
func (t *table) dot(v []float32, id int32) (sum float64) {
	for _, pair := range t.codes[int(id)*t.dim/2:][:t.dim/2] {
		s := v[:2]
		sum += float64(float32(s[0] * nibbleValues[pair&15]))
		sum += float64(float32(s[1] * nibbleValues[pair>>4]))
		v = v[2:]
	}
	return sum
}

// nibbleValues is the value of each nibble, without a row's scale.
var nibbleValues = func() (values [16]float32) {
	for i := range values {
		values[i] = float32(i - 8)
	}
	return values
}()

// Compute finds the words that are similar to one without the file.
func (t *Thesaurus) Compute(word string) (found []memory.Expansion) {
	w := t.words()
	for _, a := range w.neighbours(word) {
		found = append(found, memory.Expansion{Text: w.tokens[a.id], Weight: a.cosine})
	}
	return found
}

var wordTables = map[*Thesaurus]*wordTable{}

func (t *Thesaurus) words() *wordTable {
	if wordTables[t] == nil {
		wordTables[t] = newWordTable(t.table())
	}
	return wordTables[t]
}

// Words are the whole words of the vocabulary.
func (t *Thesaurus) Words() (list []string) {
	w := t.words()
	for _, id := range w.ids {
		list = append(list, w.tokens[id])
	}
	return list
}

// EncodeSimilarWords computes the file of similar words for the model in the binary.
func (t *Thesaurus) EncodeSimilarWords() []byte {
	w := t.words()
	var pairs []byte
	counts := make([]byte, len(w.tokens))
	for _, id := range w.ids {
		all := w.neighbours(w.tokens[id])
		counts[id] = byte(len(all))
		for _, a := range all {
			pairs = binary.LittleEndian.AppendUint16(pairs, uint16(a.id))
			pairs = binary.LittleEndian.AppendUint16(pairs, uint16(math.Round(min(1, a.cosine)*math.MaxUint16)))
		}
	}
	out := binary.LittleEndian.AppendUint32([]byte(similarMagic+modelDigest), uint32(len(counts)))
	return append(append(out, counts...), pairs...)
}
