package static

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

const (
	magic      = "MEMVEC\x00\x01"
	headerSize = 40
	version    = 1

	// Bounds that keep a lying header from asking for the machine's memory:
	// ten times the largest vocabulary and dimension of today's models.
	maxRows      = 2_000_000
	maxDimension = 8192
	maxTokens    = 1 << 16
)

// table is a model file as it was read: a row a token.
type table struct {
	name   string
	dim    int
	most   int // tokens of a text that are looked at
	ids    map[string]int32
	scales []float32
	codes  []byte // a byte a number where bits is 8, a nibble where it is 4
	bits   int
}

type header struct {
	Version, Rows, Dim, Bits, Tokens, Flags, Meta, Vocabulary uint32
}

// read parses a model file. What does not fit together is an error, and costs
// no more memory than the file has.
func read(src []byte) (*table, error) {
	if len(src) < headerSize || string(src[:8]) != magic {
		return nil, errors.New("not a MEMVEC file")
	}
	var h header
	if err := binary.Read(bytes.NewReader(src[8:headerSize]), binary.LittleEndian, &h); err != nil {
		return nil, err
	}
	if err := h.check(len(src)); err != nil {
		return nil, err
	}
	rest := src[headerSize:]
	meta, rest := rest[:h.Meta], rest[h.Meta:]
	vocabulary, rest := rest[:h.Vocabulary], rest[h.Vocabulary:]
	scales, codes := rest[:4*h.Rows], rest[4*h.Rows:]

	t := &table{dim: int(h.Dim), bits: int(h.Bits), most: int(h.Tokens), codes: codes, scales: make([]float32, h.Rows)}
	var about struct{ Name string }
	if err := json.Unmarshal(meta, &about); err != nil {
		return nil, fmt.Errorf("meta: %w", err)
	}
	t.name = about.Name
	for i := range t.scales {
		t.scales[i] = math.Float32frombits(binary.LittleEndian.Uint32(scales[4*i:]))
		if f := float64(t.scales[i]); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("the scale of row %d is not a number", i)
		}
	}
	return t, t.index(string(vocabulary))
}

func (h header) check(size int) error {
	switch {
	case h.Version != version:
		return fmt.Errorf("version %d, this reads version %d", h.Version, version)
	case h.Bits != 4 && h.Bits != 8:
		return fmt.Errorf("%d bits a number", h.Bits)
	case h.Rows == 0 || h.Rows > maxRows, h.Dim == 0 || h.Dim > maxDimension || h.Dim%2 != 0, h.Tokens == 0 || h.Tokens > maxTokens:
		return fmt.Errorf("%d rows of %d numbers, %d tokens a text", h.Rows, h.Dim, h.Tokens)
	}
	row := uint64(h.Dim) * uint64(h.Bits) / 8
	if want := headerSize + uint64(h.Meta) + uint64(h.Vocabulary) + uint64(h.Rows)*(4+row); uint64(size) != want {
		return fmt.Errorf("%d bytes, the header promises %d", size, want)
	}
	return nil
}

// index gives every token its id: its line in the vocabulary.
func (t *table) index(vocabulary string) error {
	t.ids = make(map[string]int32, len(t.scales))
	for start, id := 0, int32(0); ; id++ {
		end := start
		for end < len(vocabulary) && vocabulary[end] != '\n' {
			end++
		}
		if int(id) >= len(t.scales) {
			return errors.New("more tokens than rows")
		}
		t.ids[vocabulary[start:end]] = id
		if end == len(vocabulary) {
			if int(id)+1 != len(t.scales) {
				return fmt.Errorf("%d tokens for %d rows", id+1, len(t.scales))
			}
			break
		}
		start = end + 1
	}
	if _, ok := t.ids[unknown]; !ok {
		return errors.New("the vocabulary has no " + unknown)
	}
	return nil
}

// add adds the row of a token to sum.
func (t *table) add(sum []float32, id int32) {
	scale := t.scales[id]
	if t.bits == 8 {
		row := t.codes[int(id)*t.dim:][:t.dim]
		for i, code := range row {
			sum[i] += scale * float32(int8(code))
		}
		return
	}
	row := t.codes[int(id)*t.dim/2:][:t.dim/2]
	for i, pair := range row {
		sum[2*i] += scale * float32(int(pair&15)-8)
		sum[2*i+1] += scale * float32(int(pair>>4)-8)
	}
}
