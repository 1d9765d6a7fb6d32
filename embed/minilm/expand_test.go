package minilm_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/memory-tiered/memory/embed/minilm"
)

// packed returns a small packed file and what it stands for. It has four raw bytes, and
// two matrices of 2 × 4 numbers with the scales 0.5 and 2.
func packed() (src, expanded []byte) {
	scales := []byte{0x00, 0x38, 0x00, 0x40} // 0.5 and 2 in 16 bits
	header := `{"group":4,"parts":[{"raw":4},{"rows":2,"cols":4,"bits":4,"turned":false},{"rows":2,"cols":4,"bits":6,"turned":true}]}`
	src = binary.LittleEndian.AppendUint32([]byte("MLMQ\x00\x00\x00\x01"), uint32(len(header)))
	src = append(append(src, header...), "RAW!"...)
	src = append(append(src, scales...), 0x98, 0xba, 0x0f, 0x88)             // codes 0 1 2 3, then 7 -8 0 0
	src = append(append(src, scales...), 0x60, 0x28, 0x8a, 0x3f, 0x00, 0x82) // codes 0 1 2 2, then 31 -32 0 0
	expanded = []byte("RAW!")
	for _, x := range []uint32{0, 0x3f000000, 0x3f800000, 0x3fc00000, 0x41600000, 0xc1800000, 0, 0} {
		expanded = binary.LittleEndian.AppendUint32(expanded, x)
	}
	// The second matrix is turned: four rows of two.
	for _, x := range []uint32{0, 0x42780000, 0x3f000000, 0xc2800000, 0x3f800000, 0, 0x3f800000, 0} {
		expanded = binary.LittleEndian.AppendUint32(expanded, x)
	}
	return src, expanded
}

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func TestExpandReadsEachKindOfPart(t *testing.T) {
	src, want := packed()
	var got bytes.Buffer
	if err := minilm.Expand(&got, src, digestOf(want)); err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%v\n% x, want\n% x", err, got.Bytes(), want)
	}
}

func TestExpandRefusesDamagedWeights(t *testing.T) {
	src, want := packed()
	for n := range src {
		if err := minilm.Expand(io.Discard, src[:n], digestOf(want)); !errors.Is(err, minilm.ErrPacked) {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
	for i := range src {
		changed := bytes.Clone(src)
		changed[i] ^= 0x10
		var got bytes.Buffer
		if err := minilm.Expand(&got, changed, digestOf(want)); err == nil && !bytes.Equal(got.Bytes(), want) {
			t.Errorf("byte %d changed: no error", i)
		}
	}
	if err := minilm.Expand(io.Discard, append(bytes.Clone(src), 0), digestOf(want)); !errors.Is(err, minilm.ErrPacked) {
		t.Errorf("a byte too many: %v", err)
	}
}

func FuzzExpand(f *testing.F) {
	src, want := packed()
	f.Add(src)
	for _, part := range []string{`{"rows":-4,"cols":-4,"bits":4}`, `{"rows":4611686018427387904,"cols":4,"bits":6}`, `{"raw":-1}`, `{"rows":1,"cols":4,"bits":5}`} {
		header := fmt.Sprintf(`{"group":4,"parts":[%s]}`, part)
		f.Add(append(binary.LittleEndian.AppendUint32([]byte("MLMQ\x00\x00\x00\x01"), uint32(len(header))), header...))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var got bytes.Buffer
		if err := minilm.Expand(&got, src, digestOf(want)); err == nil && !bytes.Equal(got.Bytes(), want) {
			t.Errorf("accepted % x", got.Bytes())
		}
	})
}
