package static

import (
	_ "embed" // the words alike
	"encoding/binary"
	"fmt"
	"math"

	"github.com/memory-tiered/memory"
)

// kinCompiledIn is what [words.alike] gives for every word of the model that is
// compiled in: to work it out takes longer than all else about a question.
//
//go:embed memvec-en-256.kin
var kinCompiledIn []byte

const kinMagic = "MEMKIN\x00\x01"

// kin is which words of a model mean nearly the same.
type kin struct {
	from []uint32 // by token id: its first pair; one more at the end
	src  []byte   // pairs of an id and a cosine, two bytes each
}

const pairSize = 4

// readKin reads a file of words alike: the magic, the digest of the model it is
// of, how many tokens there are (u32), for each how many words are like it (u8),
// and the pairs, all little endian.
func readKin(src []byte, digest string) (*kin, error) {
	head := kinMagic + digest
	if len(src) < len(head)+4 || string(src[:len(head)]) != head {
		return nil, fmt.Errorf("read the words alike: not those of %s", digest)
	}
	n := binary.LittleEndian.Uint32(src[len(head):])
	rest := src[len(head)+4:]
	if uint64(len(rest)) < uint64(n) {
		return nil, fmt.Errorf("read the words alike: %d tokens in %d bytes", n, len(rest))
	}
	k := &kin{from: make([]uint32, n+1), src: rest[n:]}
	for i, count := range rest[:n] {
		k.from[i+1] = k.from[i] + uint32(count)
	}
	if want := pairSize * uint64(k.from[n]); uint64(len(k.src)) != want {
		return nil, fmt.Errorf("read the words alike: %d bytes of pairs, not %d", len(k.src), want)
	}
	return k, nil
}

// of gives the words like a token, nearest first.
func (k *kin) of(id int32, tokens []string) []memory.Expansion {
	from, to := k.from[id], k.from[id+1]
	found := make([]memory.Expansion, 0, to-from)
	for at := from; at < to; at++ {
		pair := k.src[pairSize*at:]
		found = append(found, memory.Expansion{
			Text:   tokens[binary.LittleEndian.Uint16(pair)],
			Weight: float64(binary.LittleEndian.Uint16(pair[2:])) / math.MaxUint16,
		})
	}
	return found
}
