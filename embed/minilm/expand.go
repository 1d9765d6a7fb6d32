package minilm

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// The expanded weights: an ONNX file with 32-bit numbers.
const (
	modelBytes  = 90_287_939
	modelSHA256 = "3c3e4e3e66879a0ce2020aa038b937f8a9d818823700c42e5ae673e0db6f226b"
)

// magic is the beginning of a file of packed weights.
const magic = "MLMQ\x00\x00\x00\x01"

// maxPart is the largest size of a part in bytes, when expanded. It is twice that of
// the token table, and bounds what a damaged header can request.
const maxPart = 100 << 20

var errPacked = errors.New("the packed weights are damaged")

// header describes packed weights.
type header struct {
	Group int    `json:"group"` // codes with one scale
	Parts []part `json:"parts"`
}

// part is a piece of the file. It has Raw bytes as they are, or else a matrix.
type part struct {
	Raw    int  `json:"raw"`
	Rows   int  `json:"rows"`
	Cols   int  `json:"cols"`
	Bits   int  `json:"bits"`   // of a code: 4 or 6
	Turned bool `json:"turned"` // the expanded matrix has columns as rows
}

// expand writes the ONNX file that packed weights stand for. It returns an error if the
// result has another SHA-256 than want.
func expand(to io.Writer, packed []byte, want string) error {
	h, body, err := readHeader(packed)
	if err != nil {
		return err
	}
	digest := sha256.New()
	w := bufio.NewWriterSize(io.MultiWriter(to, digest), 1<<20)
	for _, p := range h.Parts {
		if body, err = p.expand(w, body, h.Group); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(body) > 0 || hex.EncodeToString(digest.Sum(nil)) != want {
		return errPacked
	}
	return nil
}

func readHeader(packed []byte) (h header, body []byte, err error) {
	const fixed = len(magic) + 4
	if len(packed) < fixed || string(packed[:len(magic)]) != magic {
		return h, nil, errPacked
	}
	n := uint64(binary.LittleEndian.Uint32(packed[len(magic):]))
	if n > uint64(len(packed)-fixed) {
		return h, nil, errPacked
	}
	body = packed[fixed+int(n):]
	if err := json.Unmarshal(packed[fixed:fixed+int(n)], &h); err != nil || h.Group <= 0 {
		return h, nil, errPacked
	}
	return h, body, nil
}

// expand writes a part, and returns what follows it in the packed file.
func (p *part) expand(w io.Writer, packed []byte, group int) (rest []byte, err error) {
	if p.Raw > 0 {
		if p.Raw > len(packed) {
			return nil, errPacked
		}
		_, err = w.Write(packed[:p.Raw])
		return packed[p.Raw:], err
	}
	if p.Rows <= 0 || p.Cols <= 0 || p.Rows > maxPart/4/p.Cols || p.Bits != 4 && p.Bits != 6 {
		return nil, errPacked
	}
	size := p.Rows * p.Cols
	if size%group != 0 || size%4 != 0 {
		return nil, errPacked
	}
	scaleBytes, codeBytes := 2*(size/group), size*p.Bits/8
	if len(packed) < scaleBytes+codeBytes {
		return nil, errPacked
	}
	m := matrix{part: *p, group: group, scales: packed[:scaleBytes], codes: packed[scaleBytes : scaleBytes+codeBytes]}
	return packed[scaleBytes+codeBytes:], m.write(w)
}

// matrix is a packed matrix.
type matrix struct {
	part
	group         int
	scales, codes []byte
}

// write writes the matrix as float32, little endian.
func (m *matrix) write(w io.Writer) error {
	if m.Turned {
		out := make([]byte, 4*m.Rows*m.Cols)
		for row := range m.Rows {
			for col := range m.Cols {
				putFloat(out[4*(col*m.Rows+row):], m.value(row*m.Cols+col))
			}
		}
		_, err := w.Write(out)
		return err
	}
	out := make([]byte, 4*m.Cols)
	for row := range m.Rows {
		for col := range m.Cols {
			putFloat(out[4*col:], m.value(row*m.Cols+col))
		}
		if _, err := w.Write(out); err != nil {
			return err
		}
	}
	return nil
}

func putFloat(to []byte, x float32) { binary.LittleEndian.PutUint32(to, math.Float32bits(x)) }

// value returns the i-th number, row by row.
func (m *matrix) value(i int) float32 {
	code := 0
	switch m.Bits {
	case 4: // two codes in a byte, the first one in the low half
		code = int(m.codes[i/2]>>(4*(i&1))&15) - 8
	case 6: // four codes in three bytes
		b := m.codes[i/4*3:]
		code = int((uint32(b[0])|uint32(b[1])<<8|uint32(b[2])<<16)>>(6*(i&3))&63) - 32
	}
	return float32(code) * halfFloat(binary.LittleEndian.Uint16(m.scales[2*(i/m.group):]))
}

// halfFloat converts a 16-bit float. The file has neither infinities nor NaN.
func halfFloat(h uint16) float32 {
	const mantissaBits, bias32, bias16 = 10, 127, 15
	sign, exponent, mantissa := uint32(h>>15)<<31, uint32(h>>mantissaBits)&31, uint32(h)&(1<<mantissaBits-1)
	if exponent == 0 { // subnormal: mantissa × 2^-24
		return math.Float32frombits(sign | math.Float32bits(float32(mantissa)/(1<<24)))
	}
	return math.Float32frombits(sign | (exponent+bias32-bias16)<<23 | mantissa<<(23-mantissaBits))
}

// expandBuiltIn writes the expanded weights of the model in the binary.
func expandBuiltIn(w io.Writer) error {
	if err := expand(w, packedModel, modelSHA256); err != nil {
		return fmt.Errorf("expand the transformer's weights: %w", err)
	}
	return nil
}
