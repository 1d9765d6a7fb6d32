package transformer

import (
	"bytes"
	_ "embed" // the packed weights
	"encoding/binary"
	"encoding/json"
	"math"
)

//go:embed all-minilm-l6-v2-e4l6.mlmq
var packedModel []byte

// magic is the beginning of a file of packed weights.
const magic = "MLMQ\x00\x00\x00\x01"

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
}

// readWeights splits a file into its matrices and the bytes between them. The file is in the
// binary, so one that is none is a bug of the build, which the first use shows.
func readWeights(src []byte) *weightsReader {
	const fixed = len(magic) + 4
	if !bytes.HasPrefix(src, []byte(magic)) {
		panic("the weights in the binary are not packed weights")
	}
	n := int(binary.LittleEndian.Uint32(src[len(magic):]))
	var h struct {
		Group int    `json:"group"`
		Parts []part `json:"parts"`
	}
	if err := json.Unmarshal(src[fixed:fixed+n], &h); err != nil {
		panic("the weights in the binary: " + err.Error())
	}
	w, body := &weightsReader{}, src[fixed+n:]
	for _, p := range h.Parts {
		numbers := p.Rows * p.Cols
		scales := 2 * (numbers / h.Group)
		size := p.Raw + scales + numbers*p.Bits/8
		if p.Raw > 0 {
			w.raw = append(w.raw, body[:size]...)
		} else {
			w.matrices = append(w.matrices, packed{p, h.Group, body[:scales], body[scales:size]})
		}
		body = body[size:]
	}
	return w
}

// next returns the next matrix.
func (w *weightsReader) next() *packed {
	m := w.matrices[0]
	w.matrices = w.matrices[1:]
	return &m
}

// vector returns the first n numbers of the vector with this name. In the ONNX file, its
// bytes follow its name, a field number and its size.
func (w *weightsReader) vector(name string, size, n int) []float32 {
	const rawData = 9<<3 | 2 // the field of a tensor, as protobuf encodes it
	head := binary.AppendUvarint(append([]byte(name), rawData), uint64(4*size))
	_, from, _ := bytes.Cut(w.raw, head)
	numbers := make([]float32, n)
	for i := range numbers {
		numbers[i] = math.Float32frombits(binary.LittleEndian.Uint32(from[4*i:]))
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

// unpack writes codes of six bits, four in three bytes, and their scales as panels.
func (m *packed) unpack(panels []panelGroup) {
	groups := m.Cols / groupSize
	for row := range m.Rows {
		for g := range groups {
			p, at, col := &panels[row/panelCols*groups+g], row*m.Cols+g*groupSize, row%panelCols
			p.scales[col] = m.scale(at)
			for i, codes := 0, m.codes[at/4*3:]; i < groupPairs; i, codes = i+2, codes[3:] {
				four := uint32(codes[0]) | uint32(codes[1])<<8 | uint32(codes[2])<<16
				p.pairs[i][col] = [2]int8{int8(four&63) - 32, int8(four>>6&63) - 32}
				p.pairs[i+1][col] = [2]int8{int8(four>>12&63) - 32, int8(four>>18) - 32}
			}
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
