package static

import (
	"encoding/binary"
	"math/bits"
)

// wordIndex finds the ids of the pieces that begin a word, up to maxIndexed bytes. It is a
// hash table whose slots hold the bytes of the words. A map of strings reads memory in
// three places for each word, and the words of a workspace's notes are all over it.
type wordIndex struct {
	slots []wordSlot // a power of two, at most half of them in use
	shift int
}

// maxIndexed is the number of bytes that a slot holds: most words have fewer.
const maxIndexed = 16

type wordSlot struct {
	key  wordKey
	id   int32
	used bool
}

// wordKey is the bytes of a word, with its length.
type wordKey struct {
	first, second uint64
	length        int8
}

// keyOf returns the key of a word of at most maxIndexed bytes.
func keyOf(word string) wordKey {
	var b [maxIndexed]byte
	copy(b[:], word)
	return wordKey{binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:]), int8(len(word))}
}

func newWordIndex(words map[string]int32) wordIndex {
	size := bits.Len(uint(2 * len(words)))
	x := wordIndex{slots: make([]wordSlot, 1<<size), shift: 64 - size}
	for word, id := range words {
		if len(word) <= maxIndexed {
			*x.slot(keyOf(word)) = wordSlot{keyOf(word), id, true}
		}
	}
	return x
}

// slot returns the slot of a key, or the unused one where it belongs.
func (x *wordIndex) slot(key wordKey) *wordSlot {
	const odd1, odd2 = 0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f // their products spread over the high bits
	h := (key.first*odd1 ^ bits.RotateLeft64(key.second, 32)*odd2 ^ uint64(key.length)) * odd1
	for i := h >> x.shift; ; i++ {
		s := &x.slots[i&uint64(len(x.slots)-1)]
		if !s.used || s.key == key {
			return s
		}
	}
}

// wholeWord returns the id of a word that is one piece.
func (v *vocabulary) wholeWord(word string) (id int32, known bool) {
	if len(word) > maxIndexed {
		id, known = v.wordStarts[word]
		return id, known
	}
	s := v.index.slot(keyOf(word))
	return s.id, s.used
}
