package static

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/memory-tiered/memory"
)

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

// MaxWordPieces is the number of words whose tokens are kept.
const MaxWordPieces = maxWordPieces

// WordPieces returns the number of words whose tokens are kept now.
func (t *Thesaurus) WordPieces() int {
	t.vectors.mu.Lock()
	defer t.vectors.mu.Unlock()
	return len(t.vectors.known)
}

// AlignByDotProducts is Align without what it remembers of words: each vector is a sum of rows, and each
// cosine one dot product.
func (t *Thesaurus) AlignByDotProducts(question []string) (func(text []string) float64, error) {
	table, err := t.table()
	if err != nil {
		return nil, err
	}
	vectorOf := func(word string) wordVector {
		v, ids := wordVector{numbers: make([]float32, table.dim)}, []int32{table.wordStarts[word]}
		if _, whole := table.wordStarts[word]; !whole {
			ids = newTokenizer(&table.vocabulary).tokens(word)
		}
		for _, id := range ids {
			table.add(v.numbers, id)
		}
		v.length = float32(math.Sqrt(float64(dotProductScalar(v.numbers, v.numbers))))
		return v
	}
	a := newAligner(&t.vectors, table, question)
	return func(text []string) float64 {
		if a.total == 0 {
			return 0
		}
		for i, q := range a.question {
			a.best[i] = 0
			for _, word := range text {
				v := vectorOf(word)
				if v.length == 0 {
					continue
				}
				scale := 1 / v.length
				if cosine := dotProductScalar(q.numbers, v.numbers) * scale / q.length; cosine >= leastAligned {
					a.best[i] = max(a.best[i], cosine)
				}
			}
		}
		return a.share()
	}, nil
}

// digestLen is how many hexadecimal digits of the SHA-256 are in a model's name.
// It is enough that two files never have the same name, and short enough to
// read.
const digestLen = 12

// Read parses a model file. The embedder keeps src, which must not change.
func Read(src []byte) (*Embedder, error) {
	e, err := newEmbedder(src, fmt.Sprintf("%x", sha256.Sum256(src))[:digestLen])
	if err != nil {
		return nil, err
	}
	_, err = e.table()
	return e, err
}
