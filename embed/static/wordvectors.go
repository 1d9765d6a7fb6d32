package static

import (
	"math"
	"strings"
	"sync"
)

// wordVector is the vector of a word, and its length. It is never changed.
type wordVector struct {
	numbers []float32
	length  float32
}

// wordVectors keeps the vectors of the last words: the questions and memories of a
// workspace share most of theirs. Its zero value is empty. It is safe for concurrent use.
type wordVectors struct {
	mu    sync.Mutex
	known map[string]wordVector
}

// maxWordVectors is the number of words whose vectors are kept, in some 4 MB.
const maxWordVectors = 4096

// of returns the vector of a word.
func (w *wordVectors) of(word string, t *table) wordVector {
	w.mu.Lock()
	v, known := w.known[word]
	w.mu.Unlock()
	if known {
		return v
	}
	v = t.vectorOf(word)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.known == nil {
		w.known = map[string]wordVector{}
	}
	for other := range w.known {
		if len(w.known) < maxWordVectors {
			break
		}
		delete(w.known, other) // any one: a frequent word soon comes back
	}
	w.known[strings.Clone(word)] = v // the word may share memory with a whole text
	return v
}

// vectorOf computes the vector of a word.
func (t *table) vectorOf(word string) wordVector {
	id, whole := t.wordStarts[word]
	ids := []int32{id}
	if !whole {
		ids = newTokenizer(&t.vocabulary).tokens(word)
	}
	sum := make([]float32, t.dim)
	for _, id := range ids {
		t.add(sum, id)
	}
	return wordVector{sum, float32(math.Sqrt(float64(dotProduct(sum, sum))))}
}
