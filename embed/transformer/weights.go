package transformer

import (
	"bytes"
	_ "embed" // the packed weights
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

//go:embed all-minilm-l6-v2-e4l6.mlmq
var packedModel []byte

// magic is the beginning of a file of packed weights.
const magic = "MLMQ\x00\x00\x00\x01"

// codesAtOnce is how many codes of a group are unpacked at once: those of three bytes.
const codesAtOnce = 4

var errPacked = errors.New("the packed weights are damaged")

// part is a piece of the file. It has Raw bytes of the ONNX file, or else a matrix.
type part struct {
	Raw  int `json:"raw"`
	Rows int `json:"rows"`
	Cols int `json:"cols"`
	Bits int `json:"bits"` // of a code: 4 or 6
}

// packed is a matrix of the file. Row by row, each group of codes has one scale.
type packed struct {
	part
	group         int
	scales, codes []byte
}

// weightsReader reads packed weights. The matrices have the order of the ONNX file.
type weightsReader struct {
	matrices []packed
	raw      []byte // the other bytes of the ONNX file, with the vectors in them
	err      error  // the first error
}

// readWeights splits a file into its matrices and the bytes between them.
func readWeights(src []byte) (*weightsReader, error) {
	const fixed = len(magic) + 4
	if len(src) < fixed || string(src[:len(magic)]) != magic {
		return nil, errPacked
	}
	n := uint64(binary.LittleEndian.Uint32(src[len(magic):]))
	if n > uint64(len(src)-fixed) {
		return nil, errPacked
	}
	var h struct {
		Group int    `json:"group"`
		Parts []part `json:"parts"`
	}
	body := src[fixed+int(n):]
	if json.Unmarshal(src[fixed:fixed+int(n)], &h) != nil || h.Group <= 0 || h.Group%codesAtOnce != 0 {
		return nil, errPacked
	}
	w := &weightsReader{}
	for _, p := range h.Parts {
		size, err := p.size(h.Group)
		if err != nil || size > len(body) {
			return nil, errPacked
		}
		if p.Raw > 0 {
			w.raw = append(w.raw, body[:size]...)
		} else {
			scales := 2 * (p.Rows * p.Cols / h.Group)
			w.matrices = append(w.matrices, packed{p, h.Group, body[:scales], body[scales:size]})
		}
		body = body[size:]
	}
	return w, nil
}

// size returns the bytes of a part in the file.
func (p *part) size(group int) (int, error) {
	const maxNumbers = 50 << 20 // four times the table of tokens
	if p.Raw > 0 {
		return p.Raw, nil
	}
	if p.Rows <= 0 || p.Cols <= 0 || p.Rows > maxNumbers/p.Cols || p.Bits != 4 && p.Bits != 6 || p.Cols%group != 0 {
		return 0, errPacked
	}
	numbers := p.Rows * p.Cols
	return 2*(numbers/group) + numbers*p.Bits/8, nil
}

// next returns the next matrix, which has to have this shape.
func (w *weightsReader) next(rows, cols, bits int) *packed {
	if len(w.matrices) == 0 || w.matrices[0].Rows != rows || w.matrices[0].Cols != cols || w.matrices[0].Bits != bits {
		w.err = errors.Join(w.err, errPacked)
		return nil
	}
	m := w.matrices[0]
	w.matrices = w.matrices[1:]
	return &m
}

// vector returns the first n numbers of the vector with this name. In the ONNX file, its
// bytes follow its name, a field number and its size.
func (w *weightsReader) vector(name string, size, n int) []float32 {
	const rawData = 9<<3 | 2 // the field of a tensor, as protobuf encodes it
	head := binary.AppendUvarint(append([]byte(name), rawData), uint64(4*size))
	at := bytes.Index(w.raw, head)
	if at < 0 || len(w.raw)-at-len(head) < 4*size {
		w.err = errors.Join(w.err, fmt.Errorf("%w: no %s", errPacked, name))
		return make([]float32, n)
	}
	numbers := make([]float32, n)
	for i := range numbers {
		numbers[i] = math.Float32frombits(binary.LittleEndian.Uint32(w.raw[at+len(head)+4*i:]))
	}
	return numbers
}

// addRow adds a row of codes of four bits to a vector.
func (m *packed) addRow(to []float32, row int) {
	codes := m.codes[row*m.Cols/2:][:m.Cols/2]
	for at := 0; at < m.Cols; at += m.group {
		scale := m.scale(row*m.Cols + at)
		for i := at; i < at+m.group; i += 2 { // the first code is in the low half
			to[i] += scale * float32(int(codes[i/2]&15)-8)
			to[i+1] += scale * float32(int(codes[i/2]>>4)-8)
		}
	}
}

// unpack writes codes of six bits, four in three bytes, as panels that [multiply] reads:
// row by row, panelCols rows side by side.
func (m *packed) unpack(panels []float32) {
	for row := range m.Rows {
		to := panels[row/panelCols*panelCols*m.Cols+row%panelCols:]
		codes := m.codes[row*m.Cols/4*3:]
		var scale float32
		for i := 0; i < m.Cols; i += codesAtOnce {
			if i%m.group == 0 {
				scale = m.scale(row*m.Cols + i)
			}
			b := codes[i/4*3:][:3]
			four := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16
			out := to[i*panelCols:][:3*panelCols+1]
			out[0] = scale * float32(int32(four&63)-32)
			out[panelCols] = scale * float32(int32(four>>6&63)-32)
			out[2*panelCols] = scale * float32(int32(four>>12&63)-32)
			out[3*panelCols] = scale * float32(int32(four>>18)-32)
		}
	}
}

// scale returns the scale of the i-th number.
func (m *packed) scale(i int) float32 {
	return halfFloat(binary.LittleEndian.Uint16(m.scales[2*(i/m.group):]))
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
