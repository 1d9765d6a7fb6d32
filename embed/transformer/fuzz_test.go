package transformer_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/memory-tiered/memory/embed/transformer"
)

// FuzzReadWeights unpacks every matrix of any file. Whatever is accepted can be read to its
// last number, and has no more numbers than its bytes have codes.
func FuzzReadWeights(f *testing.F) {
	for _, seed := range []struct {
		header string
		body   int
	}{
		{`{"group":4,"parts":[{"rows":4,"cols":8,"bits":4}]}`, 32},
		{`{"group":8,"parts":[{"raw":5},{"rows":16,"cols":8,"bits":6}]}`, 5 + 32 + 96},
		{`{"group":8,"parts":[{"rows":384,"cols":384,"bits":6}]}`, 10},
		{`{"group":1,"parts":[{"rows":2,"cols":4,"bits":4}]}`, 20},
		{`{"group":4,"parts":[{"rows":9223372036854775807,"cols":4,"bits":4}]}`, 8},
		{`{"group":4,"parts":[{"raw":-1}]}`, 8},
		{`{}`, 0},
	} {
		src := binary.LittleEndian.AppendUint32([]byte("MLMQ\x00\x00\x00\x01"), uint32(len(seed.header)))
		f.Add(append(append(src, seed.header...), make([]byte, seed.body)...))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		numbers, err := transformer.UnpackAll(src)
		if err == nil && numbers > 2*len(src) {
			t.Fatal(fmt.Sprint(numbers, " numbers of ", len(src), " bytes"))
		}
		if transformer.Load(src) == nil {
			t.Fatal("a model with other shapes is accepted")
		}
	})
}
