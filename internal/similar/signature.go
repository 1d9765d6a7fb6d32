package similar

import "math/bits"

// fewWords is the number of words from which a text has a large signature: more than a
// signature of 64 bits has room for. Sorting the words of two long texts takes a hundred
// times as long as comparing their large signatures.
const fewWords = 64

// largeSignature is the signature of a long text: one bit a word, in 4096 bits.
type largeSignature [64]uint64

func newLargeSignature(words []uint64) *largeSignature {
	s := new(largeSignature)
	for _, word := range words {
		s[word>>58] |= 1 << (word >> 52 & 63)
	}
	return s
}

// countDifferences counts the bits that only one of two texts has. Each is a word that
// the other text lacks.
func (s *largeSignature) countDifferences(other *largeSignature) (n int) {
	for i, word := range s {
		n += bits.OnesCount64(word ^ other[i])
	}
	return n
}
