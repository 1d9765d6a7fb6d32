package static

import (
	"encoding/binary"
	"math"
	"sync/atomic"
)

// table is a parsed model file, with one row per token.
type table struct {
	vocabulary
	dim     int
	scales  []float32
	codes   []byte          // a nibble per number
	lengths []atomic.Uint32 // of the rows, as the bits of a float32; 0: not computed yet
}

func (f *file) table() *table {
	t := &table{dim: int(f.Dim), codes: f.codes, scales: make([]float32, f.Rows), lengths: make([]atomic.Uint32, f.Rows)}
	for i := range t.scales {
		t.scales[i] = math.Float32frombits(binary.LittleEndian.Uint32(f.scales[4*i:]))
	}
	t.vocabulary = newVocabulary(string(f.vocabulary), int(f.Tokens))
	return t
}

// add adds the row of a token to sum: its scale times its codes. Each product is
// rounded before it is added, so that no machine uses fused multiply-add.
func (t *table) add(sum []float32, id int32) {
	level := t.levels(id)
	row := t.codes[int(id)*t.dim/2:][:t.dim/2]
	for _, pair := range row {
		s := sum[:2]
		s[0] += level[pair&15]
		s[1] += level[pair>>4]
		sum = sum[2:]
	}
}

// row writes the row of a token: what add adds to zeros.
func (t *table) row(numbers []float32, id int32) {
	if t.scales[id] == 0 {
		clear(numbers) // no zero is negative
		return
	}
	level := t.levels(id)
	for _, pair := range t.codes[int(id)*t.dim/2:][:t.dim/2] {
		n := numbers[:2]
		n[0], n[1] = level[pair&15], level[pair>>4]
		numbers = numbers[2:]
	}
}

// levels returns the value of each nibble in the row of a token.
func (t *table) levels(id int32) (level [16]float32) {
	for i := range level {
		level[i] = t.scales[id] * float32(i-8)
	}
	return level
}
