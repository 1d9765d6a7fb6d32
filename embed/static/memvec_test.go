package static_test

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/embed/static"
)

// small has four tokens of two numbers: [UNK] is zero, "a" and "##b" point along one
// axis each, and "c" points opposite to "a".
func small() []byte {
	const about, vocabulary = `{"name": "small"}`, "[UNK]\na\n##b\nc"
	b := []byte("MEMVEC\x00\x01")
	for _, n := range []uint32{1, 4, 2, 4, 8, 0, uint32(len(about)), uint32(len(vocabulary))} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	b = append(b, about+vocabulary...)
	for _, scale := range []float32{0, 1, 0.5, 0.25} {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(scale))
	}
	return append(b, 0x88, 0x8f, 0xa8, 0x80)
}

func TestReadModels(t *testing.T) {
	e := static.Read(small())
	if !strings.HasPrefix(e.Model(), "static/small@") || e.Dim() != 2 {
		t.Errorf("Model = %s, Dim = %d", e.Model(), e.Dim())
	}
	for text, want := range map[string][]float32{"a": {1, 0}, "c": {-1, 0}, "x": {0, 0}, "": {0, 0}, "b": {0, 0}} {
		if v := vector(t, e, text); !slices.Equal(v, want) {
			t.Errorf("vector of %q = %v, want %v", text, v, want)
		}
	}
	if ids := e.Tokens("ab AB abb bb"); !slices.Equal(ids, []int32{1, 2, 1, 2, 1, 2, 2, 0}) {
		t.Errorf("tokens %v", ids)
	}
	if v := vector(t, e, "cb"); !(v[0] < 0 && v[1] > 0) {
		t.Errorf("vector of cb = %v", v)
	}
}
