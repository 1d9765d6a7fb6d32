package ingest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"reflect"
	"time"

	"github.com/memory-tiered/memory"
)

// attributesHash returns a hash of all that a memory is made from. That is its block without the
// position, its user and speaker, the date of its daily note, and lists of names. It is never 0.
func attributesHash(b memory.Block, user, speaker string, note time.Time, names ...[]string) int64 {
	h := make([]byte, 0, 512)
	add := func(texts ...string) {
		h = binary.AppendUvarint(h, uint64(len(texts)))
		for _, s := range texts {
			h = append(binary.AppendUvarint(h, uint64(len(s))), s...)
		}
	}
	add(b.Text, string(b.Kind), b.BlockID, string(b.Fingerprint[:]), user, speaker)
	for _, list := range append([][]string{b.Heading, b.Links, b.Triggers}, names...) {
		add(list...)
	}
	if !reflect.ValueOf(b.Annotations).IsZero() {
		annotations, _ := json.Marshal(b.Annotations) // what JSON cannot represent, the index refuses
		h = append(h, annotations...)
	}
	h = binary.AppendVarint(h, int64(b.End-b.Start))
	h = binary.AppendVarint(h, int64(b.LineEnd-b.LineStart))
	if !note.IsZero() {
		h = binary.AppendVarint(h, note.UnixNano())
	}
	sum := sha256.Sum256(h)
	return int64(binary.BigEndian.Uint64(sum[:]) | 1)
}
