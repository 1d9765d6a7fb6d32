package sqlite

import (
	"encoding/binary"
	"math"
)

// EncodeVector returns a vector as sqlite-vec stores it: float32, little endian.
func EncodeVector(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// DecodeVector returns the numbers of a stored vector.
func DecodeVector(b []byte) []float32 {
	return AppendVector(make([]float32, 0, len(b)/4), b)
}

// AppendVector appends the numbers of a stored vector to v.
func AppendVector(v []float32, b []byte) []float32 {
	for ; len(b) >= 4; b = b[4:] {
		v = append(v, math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return v
}
