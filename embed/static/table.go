package static

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
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

const (
	magic      = "MEMVEC\x00\x01"
	headerSize = 40 // magic and eight numbers of four bytes
)

// header follows the magic, little endian.
type header struct {
	Version, Rows, Dim, Bits, Tokens, Flags, Meta, Vocabulary uint32
}

// file contains the sections of a model file.
type file struct {
	header
	name       string
	vocabulary []byte
	scales     []byte
	codes      []byte
}

// parseFile splits a model file into its sections. The file is in the binary, and a test
// compares its digest. So a file that is none is a bug of the build, which the first use shows.
func parseFile(src []byte) (f file) {
	if !bytes.HasPrefix(src, []byte(magic)) {
		panic("the static model in the binary is not a MEMVEC file")
	}
	_ = binary.Read(bytes.NewReader(src[len(magic):headerSize]), binary.LittleEndian, &f.header) // it has enough bytes
	var about struct{ Name string }
	rest := src[headerSize:]
	_ = json.Unmarshal(rest[:f.Meta], &about) // a model without a name is usable
	f.name, rest = about.Name, rest[f.Meta:]
	f.vocabulary, rest = rest[:f.Vocabulary], rest[f.Vocabulary:]
	f.scales, f.codes = rest[:4*f.Rows], rest[4*f.Rows:]
	return f
}
