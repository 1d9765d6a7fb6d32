package static

import (
	"math"
	"slices"
	"strings"
	"sync"
)

// word is a word as the rows of its tokens.
type word struct {
	first  [4]int32 // the tokens; most words have no more
	count  int32    // of those in first
	length float32  // of the sum of the rows; 0 if the model does not know the word
	more   []int32  // the tokens, where first has no room for them
}

func newWord(tokens ...int32) (w word) {
	if len(tokens) > len(w.first) {
		w.more = slices.Clone(tokens)
		return w
	}
	w.count = int32(copy(w.first[:], tokens))
	return w
}

// tokens returns the tokens of a word.
func (w *word) tokens() []int32 {
	if w.more == nil {
		return w.first[:w.count]
	}
	return w.more
}

// wordVectors finds the vectors of words. It keeps the last words that are not in the
// vocabulary, because questions and memories share most of theirs. Its zero value is empty. It
// is safe for concurrent use.
type wordVectors struct {
	mu     sync.Mutex
	known  map[string]word
	cut    *tokenizer
	buffer []float32 // of find
}

// maxWordPieces is the number of words that are kept, in some 1 MB.
const maxWordPieces = 8192

// find returns a word.
func (w *wordVectors) find(text string, t *table) word {
	if id, whole := t.wordStarts[text]; whole {
		return word{first: [4]int32{id}, count: 1, length: t.lengthOf(id)}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	found, known := w.known[text]
	if known {
		return found
	}
	if w.known == nil {
		w.known, w.cut, w.buffer = map[string]word{}, newTokenizer(&t.vocabulary), make([]float32, t.dim)
	}
	for other := range w.known {
		if len(w.known) < maxWordPieces {
			break
		}
		delete(w.known, other) // any one: a frequent word soon comes back
	}
	found = newWord(w.cut.tokens(text)...)
	w.read(w.buffer, &found, t)
	found.length = lengthOf(w.buffer)
	w.known[strings.Clone(text)] = found // the word may share memory with a whole text
	return found
}

// read computes the vector of a word, and returns its length.
func (w *wordVectors) read(numbers []float32, of *word, t *table) (length float32) {
	tokens := of.tokens()
	if len(tokens) == 1 {
		t.row(numbers, tokens[0])
		return of.length
	}
	clear(numbers)
	for _, id := range tokens {
		t.add(numbers, id)
	}
	return of.length
}

// lengthOf returns the length of the row of a token. It computes it once.
func (t *table) lengthOf(id int32) float32 {
	if known := t.lengths[id].Load(); known != 0 {
		return math.Float32frombits(known)
	}
	row := make([]float32, t.dim)
	t.row(row, id)
	length := lengthOf(row)
	t.lengths[id].Store(math.Float32bits(length))
	return length
}

func lengthOf(numbers []float32) float32 {
	return float32(math.Sqrt(float64(dotProduct(numbers, numbers))))
}
