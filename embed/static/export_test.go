package static

import (
	"encoding/binary"
	"math"

	"github.com/memory-tiered/memory"
)

// Tokens returns the ids of a text's tokens.
func (e *Embedder) Tokens(text string) ([]int32, error) {
	t, err := e.table()
	if err != nil {
		return nil, err
	}
	return newTokenizer(&t.vocabulary).tokens(text), nil
}

// BuiltInDigest is the digest in the name of the model in the binary.
const BuiltInDigest = modelDigest

// Compute finds the words like one without looking at what was worked out before.
func (t *Thesaurus) Compute(word string) []memory.Expansion { return t.compute(word) }

// Words are the whole words of the vocabulary.
func (t *Thesaurus) Words() (list []string, err error) {
	w, err := t.words()
	if err != nil {
		return nil, err
	}
	for _, id := range w.ids {
		list = append(list, w.tokens[id])
	}
	return list, nil
}

// EncodeSimilarWords computes the file of similar words for the model in the binary.
func (t *Thesaurus) EncodeSimilarWords() ([]byte, error) {
	w, err := t.words()
	if err != nil {
		return nil, err
	}
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
	return append(append(out, counts...), pairs...), nil
}

// CheckSimilarWords parses a file of similar words for the model in the binary.
func CheckSimilarWords(src []byte) error {
	_, err := readSimilarWords(src, modelDigest)
	return err
}

// What TestDotProductIsThatOfScalars compares.
var (
	DotProduct       = dotProduct
	DotProductScalar = dotProductScalar
)

// MaxWordVectors is the number of words whose vectors are kept.
const MaxWordVectors = maxWordVectors

// WordVectors returns the number of words whose vectors are kept now.
func (t *Thesaurus) WordVectors() int {
	t.vectors.mu.Lock()
	defer t.vectors.mu.Unlock()
	return len(t.vectors.known)
}
