package static

import (
	"bytes"
	_ "embed" // the file of similar words
	"encoding/binary"
	"math"

	"github.com/memory-tiered/memory"
)

// similarFile contains the words that are similar to each whole word of the model in the
// binary. A test computes it.
//
//go:embed memvec-en-256.kin
var similarFile []byte

const similarMagic = "MEMKIN\x00\x01"

// similarWords maps each word of a model to words of similar meaning.
type similarWords struct {
	firstPair []uint32 // by token id, with one more at the end
	pairs     []byte   // of an id and a cosine, two bytes each
}

const pairSize = 4

// readSimilarWords parses a file of similar words, little endian. It holds the
// magic, the digest of the model and the number of tokens (u32). Then follow the
// number of similar words of each token (u8), and the pairs.
func readSimilarWords(src []byte, digest string) *similarWords {
	head := similarMagic + digest
	if !bytes.HasPrefix(src, []byte(head)) {
		panic("the similar words in the binary are not of the model " + digest)
	}
	n := binary.LittleEndian.Uint32(src[len(head):])
	rest := src[len(head)+4:]
	k := &similarWords{firstPair: make([]uint32, n+1), pairs: rest[n:]}
	for i, count := range rest[:n] {
		k.firstPair[i+1] = k.firstPair[i] + uint32(count)
	}
	return k
}

// lookup returns the words that are similar to a token, nearest first.
func (k *similarWords) lookup(id int32, tokens []string) []memory.Expansion {
	from, to := k.firstPair[id], k.firstPair[id+1]
	found := make([]memory.Expansion, 0, to-from)
	for at := from; at < to; at++ {
		pair := k.pairs[pairSize*at:]
		found = append(found, memory.Expansion{
			Text:   tokens[binary.LittleEndian.Uint16(pair)],
			Weight: float64(binary.LittleEndian.Uint16(pair[2:])) / math.MaxUint16,
		})
	}
	return found
}
