package static

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
)

// BuiltInDigest is the digest in the name of the model in the binary.
const BuiltInDigest = modelDigest

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
func (t *Thesaurus) AlignByDotProducts(question []string) func(text []string) float64 {
	table := t.table()
	type wordVector struct {
		numbers []float32
		length  float32
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
	a := &aligner{vectors: &t.vectors, table: table}
	a.ask(question)
	var asked []wordVector
	for _, word := range question {
		if v := vectorOf(word); v.length > 0 {
			asked = append(asked, v)
		}
	}
	slices.SortStableFunc(asked, func(v, w wordVector) int { return cmp.Compare(w.length, v.length) })
	return func(text []string) float64 {
		if a.total == 0 {
			return 0
		}
		for i, q := range asked[:len(a.question)] {
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
	}
}

// digestLen is how many hexadecimal digits of the SHA-256 are in a model's name.
// It is enough that two files never have the same name, and short enough to
// read.
const digestLen = 12

// Read parses a model file. The embedder keeps src, which must not change.
func Read(src []byte) *Embedder {
	return newEmbedder(src, fmt.Sprintf("%x", sha256.Sum256(src))[:digestLen])
}
