package vectors

import (
	"encoding/binary"
	"math"
)

// Encode returns a vector as sqlite-vec stores it: float32, little endian.
func Encode(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// Decode returns the numbers of a stored vector.
func Decode(b []byte) []float32 {
	return Append(make([]float32, 0, len(b)/4), b)
}

// Append appends the numbers of a stored vector to v.
func Append(v []float32, b []byte) []float32 {
	for ; len(b) >= 4; b = b[4:] {
		v = append(v, math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return v
}
