package static

import (
	_ "embed" // the words alike
	"encoding/binary"
	"fmt"
	"math"

	"github.com/memory-tiered/memory"
)

// similarFile is what [words.neighbours] gives for every word of the model that is
// compiled in: to work it out takes longer than all else about a question.
//
//go:embed memvec-en-256.kin
var similarFile []byte

const similarMagic = "MEMKIN\x00\x01"

// similarWords is which words of a model mean nearly the same.
type similarWords struct {
	firstPair []uint32 // by token id: its first pair; one more at the end
	pairs     []byte   // pairs of an id and a cosine, two bytes each
}

const pairSize = 4

// readSimilarWords reads a file of words alike: the magic, the digest of the model it is
// of, how many tokens there are (u32), for each how many words are like it (u8),
// and the pairs, all little endian.
func readSimilarWords(src []byte, digest string) (*similarWords, error) {
	head := similarMagic + digest
	if len(src) < len(head)+4 || string(src[:len(head)]) != head {
		return nil, fmt.Errorf("read the words alike: not those of %s", digest)
	}
	n := binary.LittleEndian.Uint32(src[len(head):])
	rest := src[len(head)+4:]
	if uint64(len(rest)) < uint64(n) {
		return nil, fmt.Errorf("read the words alike: %d tokens in %d bytes", n, len(rest))
	}
	k := &similarWords{firstPair: make([]uint32, n+1), pairs: rest[n:]}
	for i, count := range rest[:n] {
		k.firstPair[i+1] = k.firstPair[i] + uint32(count)
	}
	if want := pairSize * uint64(k.firstPair[n]); uint64(len(k.pairs)) != want {
		return nil, fmt.Errorf("read the words alike: %d bytes of pairs, not %d", len(k.pairs), want)
	}
	return k, nil
}

// lookup gives the words like a token, nearest first.
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
